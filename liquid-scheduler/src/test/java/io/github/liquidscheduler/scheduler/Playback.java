package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Plays a story on a scheduler: turns each move into an event that can happen by then. */
final class Playback {

  /** What happened and what was decided. */
  record Step(ClusterEvent event, List<Decision> decisions) {}

  private final Scheduler scheduler;
  private final StalePlans plans = new StalePlans();
  private Instant now = Instant.EPOCH;
  private int submitted;

  Playback(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Makes a playback that goes on, on another scheduler, where {@code other} is. */
  Playback(Scheduler scheduler, Playback other) {
    this.scheduler = scheduler;
    now = other.now;
    submitted = other.submitted;
    plans.addAll(other.plans);
  }

  /** Plays a whole story on a new scheduler and returns all that happened. */
  static List<Step> play(EventSequence story) {
    return play(story.scheduler(), story.moves());
  }

  /** Plays moves on a scheduler and returns all that happened. */
  static List<Step> play(Scheduler scheduler, List<ClusterStep> moves) {
    Playback playback = new Playback(scheduler);
    List<Step> steps = new ArrayList<>();
    moves.forEach(move -> playback.play(move).ifPresent(steps::add));
    return steps;
  }

  /** Plays one move, if it is possible. */
  Optional<Step> play(ClusterStep move) {
    return event(move).map(this::take);
  }

  private Step take(ClusterEvent event) {
    Step step = new Step(event, scheduler.on(event));
    step.decisions().stream()
        .filter(Decision.RequestPlan.class::isInstance)
        .map(Decision.RequestPlan.class::cast)
        .forEach(request -> plans.ask(request, scheduler));
    return step;
  }

  /** Returns the event that the move is at this moment, if it is possible. */
  Optional<ClusterEvent> event(ClusterStep move) {
    now = now.plusSeconds(move.seconds());
    return switch (move.kind()) {
      case SUBMIT ->
          Optional.of(new ClusterEvent.JobSubmitted(now, move.job().named("j" + submitted++)));
      case UPDATE ->
          pick(
              move,
              scheduler.waiting(),
              job -> new ClusterEvent.JobUpdated(now, move.job().named(job.value())));
      case FINISH -> running(move, job -> new ClusterEvent.JobFinished(now, job));
      case FAIL ->
          running(move, job -> new ClusterEvent.JobFailed(now, job, Failure.CRASHED, false));
      case RETRY ->
          running(move, job -> new ClusterEvent.JobFailed(now, job, Failure.NOT_STARTED, true));
      case CANCEL ->
          pick(
              move,
              Stream.concat(scheduler.waiting().stream(), view().runningJobs().stream()).toList(),
              job -> new ClusterEvent.JobCancelled(now, job));
      case PROGRESS ->
          running(move, job -> new ClusterEvent.JobProgressed(now, job, progress(move)));
      case LOSE_NODE ->
          node(move, id -> new ClusterEvent.NodeLost(now, id), NodeHealth.UP, NodeHealth.DRAINING);
      case DRAIN -> node(move, id -> new ClusterEvent.NodeDraining(now, id), NodeHealth.UP);
      case RETURN ->
          node(
              move,
              id -> new ClusterEvent.NodeReturned(now, id),
              NodeHealth.DRAINING,
              NodeHealth.LOST);
      case LOSE_GPU -> pick(move, gpus(false), gpu -> new ClusterEvent.GpuLost(now, gpu));
      case RETURN_GPU -> pick(move, gpus(true), gpu -> new ClusterEvent.GpuReturned(now, gpu));
      case WAIT -> Optional.of(new ClusterEvent.TimePassed(now));
      case PLAN ->
          plans.answerLast(move.pick()).map(plan -> new ClusterEvent.PlanProposed(now, plan));
      case PLAN_AGAIN -> pick(move, plans.all(), plan -> new ClusterEvent.PlanProposed(now, plan));
      case WAKE_UP -> scheduler.nextWakeUp().map(this::wakeUp);
    };
  }

  private ClusterEvent wakeUp(Instant at) {
    now = at.isAfter(now) ? at : now;
    return new ClusterEvent.TimePassed(now);
  }

  private static Progress progress(ClusterStep move) {
    Progress progress = Progress.of(move.pick(), 1);
    return move.pick() % 3 == 0
        ? progress
        : progress.withRemaining(Duration.ofSeconds(move.pick() % 200));
  }

  private ClusterView view() {
    return scheduler.view();
  }

  private Optional<ClusterEvent> running(ClusterStep move, Function<JobId, ClusterEvent> event) {
    return pick(move, view().runningJobs(), event);
  }

  private Optional<ClusterEvent> node(
      ClusterStep move, Function<NodeId, ClusterEvent> event, NodeHealth... healths) {
    List<NodeId> nodes =
        view().topology().nodes().stream()
            .map(Node::id)
            .filter(id -> List.of(healths).contains(view().health(id)))
            .toList();
    return pick(move, nodes, event);
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
      ClusterStep move, List<T> values, Function<T, ClusterEvent> event) {
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(event.apply(values.get(move.pick() % values.size())));
  }
}
