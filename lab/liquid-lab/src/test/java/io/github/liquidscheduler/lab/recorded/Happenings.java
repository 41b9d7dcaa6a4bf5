package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/** Draws what happens next around a scheduler, among what can happen. */
final class Happenings {

  private static final int MOST_WAITING = 25;
  private static final List<Integer> SECONDS = List.of(0, 1, 3, 8, 20);

  /** What happens, and how often in {@link #ORDINARY} life. */
  enum Kind {
    SUBMIT,
    FINISH,
    PROGRESS,
    PASS,
    WAKE_UP,
    FAIL,
    RETRY,
    UPDATE,
    CANCEL,
    LOSE_NODE,
    DRAIN_NODE,
    RETURN_NODE,
    LOSE_GPU,
    RETURN_GPU
  }

  /** Mostly jobs that come and go. */
  static final List<Kind> ORDINARY =
      kinds("SUBMIT*10 FINISH*8 PROGRESS*4 PASS WAKE_UP*2 RETRY UPDATE CANCEL");

  /** More jobs come than go. */
  static final List<Kind> CROWDED = kinds("SUBMIT*12 FINISH*5 PROGRESS PASS WAKE_UP*2 CANCEL");

  /** Jobs that report a lot. */
  static final List<Kind> REPORTING =
      kinds("SUBMIT*6 FINISH*4 PROGRESS*20 PASS WAKE_UP RETRY UPDATE CANCEL");

  /** Everything that goes wrong. */
  static final List<Kind> FAILING =
      kinds(
          "SUBMIT*12 FINISH*5 PROGRESS*2 PASS WAKE_UP FAIL*2 RETRY*3 UPDATE*3 CANCEL*2"
              + " LOSE_NODE DRAIN_NODE RETURN_NODE*3 LOSE_GPU*2 RETURN_GPU*2");

  private final Scheduler scheduler;
  private final Random random;
  private final List<Kind> kinds;
  private final Function<String, JobSpec> jobs;
  private final Deque<BatchPlan> plans = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;
  private int submitted;

  Happenings(Scheduler scheduler, Random random, List<Kind> kinds, Function<String, JobSpec> jobs) {
    this.scheduler = scheduler;
    this.random = random;
    this.kinds = kinds;
    this.jobs = jobs;
  }

  /** Lets a plan come some events later. */
  void await(BatchPlan plan) {
    plans.add(plan);
  }

  ClusterEvent next() {
    now = now.plusSeconds(any(SECONDS).orElseThrow());
    if (!plans.isEmpty() && random.nextInt(3) == 0) {
      return new ClusterEvent.PlanProposed(now, plans.remove());
    }
    return draw(any(kinds).orElseThrow()).orElseGet(this::submit);
  }

  private static List<Kind> kinds(String weights) {
    List<Kind> kinds = new ArrayList<>();
    for (String weight : weights.split(" ", -1)) {
      int star = weight.indexOf('*');
      int times = star < 0 ? 1 : Integer.parseInt(weight.substring(star + 1));
      Kind kind = Kind.valueOf(star < 0 ? weight : weight.substring(0, star));
      for (int i = 0; i < times; i++) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private Optional<ClusterEvent> draw(Kind kind) {
    return switch (kind) {
      case SUBMIT ->
          scheduler.waiting().size() < MOST_WAITING
              ? Optional.of(submit())
              : running().map(job -> new ClusterEvent.JobFinished(now, job));
      case FINISH -> running().map(job -> new ClusterEvent.JobFinished(now, job));
      case PROGRESS ->
          reporting().map(job -> new ClusterEvent.JobProgressed(now, job, progress(job)));
      case PASS -> Optional.of(new ClusterEvent.TimePassed(now));
      case WAKE_UP -> scheduler.nextWakeUp().map(this::wakeUp);
      case FAIL ->
          running().map(job -> new ClusterEvent.JobFailed(now, job, Failure.CRASHED, Retry.no()));
      case RETRY -> running().map(this::retry);
      case UPDATE ->
          any(scheduler.waiting())
              .map(job -> new ClusterEvent.JobUpdated(now, jobs.apply(job.value())));
      case CANCEL ->
          any(Stream.concat(scheduler.waiting().stream(), view().runningJobs().stream()).toList())
              .map(job -> new ClusterEvent.JobCancelled(now, job));
      case LOSE_NODE ->
          node(NodeHealth.UP, NodeHealth.DRAINING).map(id -> new ClusterEvent.NodeLost(now, id));
      case DRAIN_NODE -> node(NodeHealth.UP).map(id -> new ClusterEvent.NodeDraining(now, id));
      case RETURN_NODE ->
          node(NodeHealth.LOST, NodeHealth.DRAINING)
              .map(id -> new ClusterEvent.NodeReturned(now, id));
      case LOSE_GPU -> any(gpus(false)).map(gpu -> new ClusterEvent.GpuLost(now, gpu));
      case RETURN_GPU -> any(gpus(true)).map(gpu -> new ClusterEvent.GpuReturned(now, gpu));
    };
  }

  private ClusterEvent submit() {
    return new ClusterEvent.JobSubmitted(now, jobs.apply("j" + submitted++));
  }

  private ClusterEvent wakeUp(Instant at) {
    now = at.isAfter(now) ? at : now;
    return new ClusterEvent.TimePassed(now);
  }

  private ClusterEvent retry(JobId job) {
    Failure failure = random.nextBoolean() ? Failure.NOT_STARTED : Failure.CRASHED;
    return random.nextInt(3) == 0
        ? new ClusterEvent.JobFailed(
            now, job, failure, Retry.now(), Optional.of(jobs.apply(job.value())))
        : new ClusterEvent.JobFailed(now, job, failure, Retry.now());
  }

  /**
   * Ten iterations a second alone, more or less, and less beside co-runners; there three reports in
   * five tell of no slowdown, so that jobs go on sharing.
   */
  private Progress progress(JobId job) {
    double luck = random.nextDouble();
    double rate = hasCompany(job) && luck > 0.6 ? 8 - 7 * luck : 10 - luck / 2;
    Progress progress = Progress.of(random.nextInt(10_000), Math.round(rate * 1000) / 1000.0);
    return random.nextInt(3) == 0
        ? progress
        : progress.withRemaining(Duration.ofSeconds(random.nextInt(500)));
  }

  private boolean hasCompany(JobId job) {
    Placement placement = view().placement(job).orElseThrow();
    return placement.tasks().stream()
        .flatMap(task -> task.gpus().stream().map(gpu -> new GpuId(task.node(), gpu)))
        .anyMatch(gpu -> view().residents(gpu).size() > 1);
  }

  private ClusterView view() {
    return scheduler.view();
  }

  private Optional<JobId> running() {
    return any(view().runningJobs());
  }

  /** Returns a running job, mostly one in co-runners if there is one. */
  private Optional<JobId> reporting() {
    List<JobId> colocated = view().runningJobs().stream().filter(this::hasCompany).toList();
    return random.nextInt(4) > 0 ? any(colocated).or(this::running) : running();
  }

  private Optional<NodeId> node(NodeHealth... healths) {
    return any(
        view().topology().nodes().stream()
            .map(Node::id)
            .filter(id -> List.of(healths).contains(view().health(id)))
            .toList());
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

  private <T> Optional<T> any(List<T> values) {
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(values.get(random.nextInt(values.size())));
  }
}
