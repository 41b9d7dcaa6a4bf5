package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Plays steps on a scheduler: turns each into an event that can happen by then, starting at the
 * epoch. Not thread-safe.
 */
public final class Playback {
  private static final Memory GPU_MEMORY = Memory.ofGib(16);

  private final Scheduler scheduler;
  private final PlanSource plans;
  private final Map<JobId, Long> resizes = new HashMap<>();
  private final Map<JobId, List<JobId>> awaited = new HashMap<>();
  // Of all resizes of a job: while one is under way, it may still be where an earlier one led.
  private final Map<JobId, Set<NodeId>> targets = new HashMap<>();
  private final Map<JobId, List<Integer>> profiles = new LinkedHashMap<>();
  private Instant now = Instant.EPOCH;
  private int submitted;
  private int added;

  /** What happened, and what was decided, in order. */
  public record Turn(ClusterEvent event, List<Decision> decisions) {
    /** Copies the decisions. */
    public Turn {
      decisions = List.copyOf(decisions);
    }
  }

  /** Makes a playback on a new scheduler whose plans a source answers. */
  public Playback(Scheduler scheduler, PlanSource plans) {
    this.scheduler = scheduler;
    this.plans = plans;
  }

  /** Returns a playback that goes on, on another scheduler, where this one is. */
  public Playback goingOnWith(Scheduler other) {
    Playback playback = new Playback(other, plans.copy());
    playback.now = now;
    playback.submitted = submitted;
    playback.added = added;
    playback.resizes.putAll(resizes);
    playback.awaited.putAll(awaited);
    targets.forEach((job, nodes) -> playback.targets.put(job, new HashSet<>(nodes)));
    playback.profiles.putAll(profiles);
    return playback;
  }

  /** Sets the time after which the next step comes. */
  public void goTo(Instant instant) {
    now = instant;
  }

  /** Returns the time of the last step. */
  public Instant now() {
    return now;
  }

  /** Plays all steps and returns the turns; those that were not possible are left out. */
  public List<Turn> play(List<ClusterStep> steps) {
    return steps.stream().map(this::play).flatMap(Optional::stream).toList();
  }

  /** Plays one step, if it is possible. */
  public Optional<Turn> play(ClusterStep step) {
    return event(step).map(this::take);
  }

  /** Has the scheduler take an event. */
  public Turn take(ClusterEvent event) {
    Turn turn = new Turn(event, scheduler.on(event));
    turn.decisions().stream()
        .filter(Decision.Resize.class::isInstance)
        .map(Decision.Resize.class::cast)
        .forEach(
            resize -> {
              resizes.put(resize.job(), resize.number());
              awaited.put(resize.job(), resize.after());
              targets
                  .computeIfAbsent(resize.job(), any -> new HashSet<>())
                  .addAll(resize.placement().nodes());
            });
    turn.decisions().stream()
        .filter(Decision.Profile.class::isInstance)
        .map(Decision.Profile.class::cast)
        .forEach(profile -> profiles.put(profile.job(), profile.sizes()));
    turn.decisions().stream()
        .filter(Decision.Start.class::isInstance)
        .forEach(start -> profiles.remove(((Decision.Start) start).job()));
    turn.decisions().stream()
        .filter(Decision.RequestPlan.class::isInstance)
        .map(Decision.RequestPlan.class::cast)
        .forEach(request -> plans.ask(request.request()));
    return turn;
  }

  /** Returns the event that the step is at this moment, if it is possible. */
  public Optional<ClusterEvent> event(ClusterStep step) {
    now = now.plusSeconds(step.seconds());
    return switch (step.kind()) {
      case SUBMIT ->
          Optional.of(
              new ClusterEvent.JobSubmitted(now, step.job().named(JobNames.of(submitted++))));
      case UPDATE ->
          pick(
              step,
              scheduler.waiting(),
              job -> new ClusterEvent.JobUpdated(now, step.job().named(job.value())));
      case FINISH -> running(step, job -> new ClusterEvent.JobFinished(now, job));
      case FAIL -> failing(step, any -> Failure.CRASHED, any -> Retry.no());
      case RETRY -> failing(step, Playback::failure, this::retry);
      case STOP ->
          pick(step, stopping(), job -> new ClusterEvent.JobStopped(now, job, retry(step)));
      case CANCEL ->
          pick(
              step,
              Stream.concat(scheduler.waiting().stream(), view().runningJobs().stream()).toList(),
              job -> new ClusterEvent.JobCancelled(now, job));
      case PROGRESS ->
          running(step, job -> new ClusterEvent.JobProgressed(now, job, progress(step)));
      case RESIZE -> pick(step, resizing(), job -> resized(step, job)).or(() -> profiled(step));
      case LOSE_NODE ->
          node(step, id -> new ClusterEvent.NodeLost(now, id), NodeHealth.UP, NodeHealth.DRAINING);
      case DRAIN -> node(step, id -> draining(step, id), NodeHealth.UP, NodeHealth.DRAINING);
      case RETURN ->
          node(
              step,
              id -> new ClusterEvent.NodeReturned(now, id),
              NodeHealth.DRAINING,
              NodeHealth.LOST);
      case LOSE_GPU -> pick(step, gpus(false), gpu -> new ClusterEvent.GpuLost(now, gpu));
      case RETURN_GPU -> pick(step, gpus(true), gpu -> new ClusterEvent.GpuReturned(now, gpu));
      case ADD_NODE -> Optional.of(addition(step.pick()));
      case RETIRE_NODE -> pick(step, emptyNodes(), node -> new ClusterEvent.NodeRetired(now, node));
      case WAIT -> Optional.of(new ClusterEvent.TimePassed(now));
      case PLAN -> plans.answer(step.pick()).map(plan -> new ClusterEvent.PlanProposed(now, plan));
      case PLAN_AGAIN ->
          pick(step, plans.answered(), plan -> new ClusterEvent.PlanProposed(now, plan));
      case WAKE_UP -> scheduler.nextWakeUp().map(this::wakeUp);
    };
  }

  private Optional<ClusterEvent> failing(
      ClusterStep step,
      Function<ClusterStep, Failure> failure,
      Function<ClusterStep, Retry> retry) {
    return pick(
        step,
        view().runningJobs(),
        job ->
            new ClusterEvent.JobFailed(
                now,
                job,
                hasBegun(job) ? failure.apply(step) : Failure.NOT_STARTED,
                retry.apply(step)));
  }

  private static Failure failure(ClusterStep step) {
    return step.pick() % 3 == 0 ? Failure.CRASHED : Failure.NOT_STARTED;
  }

  private Retry retry(ClusterStep step) {
    List<Node> nodes = view().topology().nodes();
    return switch (step.pick() % 4) {
      case 0 -> Retry.after(Duration.ofSeconds(step.pick()));
      case 1 -> Retry.now().avoiding(nodes.get(step.pick() % nodes.size()).id());
      default -> Retry.now();
    };
  }

  private List<JobId> stopping() {
    return scheduler.waiting().stream()
        .filter(
            job -> scheduler.status(job).filter(JobStatus.Stopping.class::isInstance).isPresent())
        .toList();
  }

  private List<JobId> resizing() {
    return view().runningJobs().stream().filter(job -> resizing(job).isPresent()).toList();
  }

  private Optional<JobStatus.Resizing> resizing(JobId job) {
    return scheduler
        .status(job)
        .filter(JobStatus.Resizing.class::isInstance)
        .map(JobStatus.Resizing.class::cast);
  }

  /**
   * Returns that a job has switched, most of the time; only one that gets larger may fail to, and
   * must not prepare new workers where others are still leaving.
   */
  private ClusterEvent resized(ClusterStep step, JobId job) {
    JobStatus.Resizing change = resizing(job).orElseThrow();
    Set<TaskPlacement> kept = new HashSet<>(change.next().tasks());
    boolean getsLarger =
        kept.containsAll(change.placement().tasks()) && !change.next().equals(change.placement());
    boolean mustWait = awaited.getOrDefault(job, List.of()).stream().anyMatch(this::isLeaving);
    List<ResizeStep> steps =
        getsLarger && mustWait
            ? List.of(ResizeStep.FAILED, ResizeStep.RETRY, ResizeStep.TIMED_OUT)
            : getsLarger
                ? List.of(
                    ResizeStep.SWITCHED,
                    ResizeStep.READY,
                    ResizeStep.SWITCHED,
                    ResizeStep.FAILED,
                    ResizeStep.RETRY,
                    ResizeStep.TIMED_OUT)
                : List.of(ResizeStep.SWITCHED, ResizeStep.READY, ResizeStep.RETRY);
    long number = Objects.requireNonNull(resizes.get(job));
    return new ClusterEvent.ResizeReported(now, job, number, steps.get(step.pick() % steps.size()));
  }

  /** Returns that a job has measured its speeds, which grow with its size, or could not. */
  private Optional<ClusterEvent> profiled(ClusterStep step) {
    profiles.keySet().retainAll(view().runningJobs());
    return pick(
        step,
        List.copyOf(profiles.keySet()),
        job -> {
          List<Integer> sizes = Objects.requireNonNull(profiles.remove(job));
          return new ClusterEvent.JobProfiled(
              now,
              job,
              step.pick() % 5 == 0
                  ? List.of()
                  : sizes.stream().map(size -> new SizeSpeed(size, Math.sqrt(size))).toList());
        });
  }

  private ClusterEvent draining(ClusterStep step, NodeId node) {
    return new ClusterEvent.NodeDraining(
        now, node, Optional.of(now.plusSeconds(step.pick())).filter(at -> step.pick() % 2 == 0));
  }

  /**
   * Returns the addition of a node below a domain that is there, below a new one, or below none.
   */
  private ClusterEvent addition(int pick) {
    String id = "x" + added++;
    Node.Builder node =
        Node.builder(id)
            .gpus(pick % 5, Topologies.MODELS.get(pick % Topologies.MODELS.size()), GPU_MEMORY)
            .cpu(CpuCores.of(16))
            .memory(Memory.ofGib(64));
    List<Domain> domains = view().topology().domains();
    if (domains.isEmpty() || pick % 3 == 0) {
      return new ClusterEvent.NodeAdded(now, node.build());
    }
    Domain last = domains.getLast();
    if (pick % 3 == 1) {
      return new ClusterEvent.NodeAdded(now, node.domain(last.id().value()).build());
    }
    Domain domain = Domain.of(last.level(), "of " + id);
    return new ClusterEvent.NodeAdded(now, node.domain("of " + id).build(), List.of(domain));
  }

  private List<NodeId> emptyNodes() {
    Set<NodeId> inUse = new HashSet<>();
    view().runningJobs().forEach(job -> inUse.addAll(view().placement(job).orElseThrow().nodes()));
    Stream.concat(scheduler.waiting().stream(), view().runningJobs().stream())
        .forEach(job -> inUse.addAll(nodesBeingLeft(job)));
    List<NodeId> all = view().topology().nodes().stream().map(Node::id).toList();
    return all.size() == 1
        ? List.of()
        : all.stream().filter(node -> !inUse.contains(node)).toList();
  }

  /** Returns the nodes on which a job that stops or changes its size may still be. */
  private Set<NodeId> nodesBeingLeft(JobId job) {
    return switch (scheduler.status(job).orElseThrow()) {
      case JobStatus.Stopping stopping -> stopping.placement().nodes();
      case JobStatus.Moving moving -> moving.placement().nodes();
      case JobStatus.Resizing resizing -> {
        Set<NodeId> nodes = new HashSet<>(targets.getOrDefault(job, Set.of()));
        nodes.addAll(resizing.placement().nodes());
        yield nodes;
      }
      default -> Set.of();
    };
  }

  private ClusterEvent wakeUp(Instant at) {
    now = at.isAfter(now) ? at : now;
    return new ClusterEvent.TimePassed(now);
  }

  private static Progress progress(ClusterStep step) {
    Progress progress = Progress.of(step.pick(), 1);
    return step.pick() % 3 == 0
        ? progress
        : progress.withRemaining(Duration.ofSeconds(step.pick() % 200));
  }

  private ClusterView view() {
    return scheduler.view();
  }

  private Optional<ClusterEvent> running(ClusterStep step, Function<JobId, ClusterEvent> event) {
    return pick(step, view().runningJobs().stream().filter(this::hasBegun).toList(), event);
  }

  private boolean hasBegun(JobId job) {
    return scheduler.status(job).filter(JobStatus.Starting.class::isInstance).isEmpty();
  }

  private boolean isLeaving(JobId job) {
    return scheduler
        .status(job)
        .filter(
            status ->
                status instanceof JobStatus.Stopping
                    || status instanceof JobStatus.Resizing
                    || status instanceof JobStatus.Moving)
        .isPresent();
  }

  private Optional<ClusterEvent> node(
      ClusterStep step, Function<NodeId, ClusterEvent> event, NodeHealth... healths) {
    List<NodeId> nodes =
        view().topology().nodes().stream()
            .map(Node::id)
            .filter(id -> List.of(healths).contains(view().health(id)))
            .toList();
    return pick(step, nodes, event);
  }

  private List<GpuId> gpus(boolean lost) {
    List<GpuId> gpus = new ArrayList<>();
    for (Node node : view().topology().nodes()) {
      for (int i = 0; i < node.gpus().size(); i++) {
        gpus.add(new GpuId(node.id(), i));
      }
    }
    return gpus.stream().filter(gpu -> view().isLost(gpu) == lost).toList();
  }

  private static <T> Optional<ClusterEvent> pick(
      ClusterStep step, List<T> values, Function<T, ClusterEvent> event) {
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(event.apply(values.get(step.pick() % values.size())));
  }
}
