package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobNames;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What happens in a world: jobs, nodes and plans, hostile ones too, data sets and an operator. */
final class AnyEvents {

  private final AnyWorld world;
  private final LiquidScheduler scheduler;
  private final Playback playback;

  AnyEvents(AnyWorld world, LiquidScheduler scheduler, Playback playback) {
    this.world = world;
    this.scheduler = scheduler;
    this.playback = playback;
  }

  /**
   * Returns what is due before a step in worlds that are punctual: the end of a job at which it was
   * told to end, or a wake-up. Promises are kept there, and fewer jobs run at a time.
   */
  Optional<ClusterEvent> dueBefore(int number) {
    Instant now = playback.now();
    Instant then = afterPause(number).plusSeconds(world.steps().get(number).seconds());
    if (!world.isPunctual()) {
      return Optional.empty();
    }
    Optional<Instant> wakeUp = scheduler.nextWakeUp().filter(at -> at.isBefore(then));
    return scheduler.state().jobs().running().inOrder().stream()
        .filter(JobEntry::hasBegun)
        .filter(job -> job.expectedEnd(now).filter(then::isAfter).isPresent())
        .min(Comparator.comparing(job -> job.expectedEnd(now).orElseThrow()))
        .filter(job -> wakeUp.filter(job.expectedEnd(now).orElseThrow()::isAfter).isEmpty())
        .<ClusterEvent>map(job -> end(job, now))
        .or(
            () ->
                wakeUp.flatMap(
                    at ->
                        playback.event(
                            step(world.steps().get(number), ClusterStep.Kind.WAKE_UP, 0))));
  }

  /** Returns the report of a launching job that has begun before a step: two of three have. */
  Optional<ClusterEvent> begunBefore(int number) {
    return scheduler.state().jobs().running().launching().stream()
        .map(JobEntry::id)
        .filter(job -> (JobNames.number(job) + number) % 3 > 0)
        .findFirst()
        .map(job -> new ClusterEvent.JobStarted(playback.now(), job));
  }

  private ClusterEvent end(JobEntry job, Instant now) {
    playback.goTo(job.expectedEnd(now).orElseThrow());
    return new ClusterEvent.JobFinished(playback.now(), job.id());
  }

  private Instant afterPause(int number) {
    return GpuTime.after(playback.now(), world.times().pauseBefore(number)).orElse(GpuTime.LATEST);
  }

  private static ClusterStep step(ClusterStep step, ClusterStep.Kind kind, long seconds) {
    return new ClusterStep(kind, step.pick(), Math.toIntExact(seconds), step.job());
  }

  /** Returns a step that does not come after the last instant. */
  private ClusterStep inTime(ClusterStep step) {
    long left = Duration.between(playback.now(), GpuTime.LATEST).toSeconds();
    return step(step, step.kind(), Math.min(step.seconds(), left));
  }

  /** Returns what a step is by then, if it is possible. */
  Optional<ClusterEvent> of(int number) {
    playback.goTo(afterPause(number));
    ClusterStep step = inTime(world.steps().get(number));
    Optional<ClusterEvent> hold = HoldStep.of(world, number, step, scheduler, playback);
    if (hold.isPresent()) {
      return hold;
    }
    Optional<ClusterEvent> adopted = AdoptStep.of(world, number, step, scheduler, playback);
    if (adopted.isPresent()) {
      return adopted;
    }
    if (!world.has(Feature.ADVANCE)) {
      return of(step);
    }
    OperatorStep operator = OperatorStep.of(step.pick());
    Optional<ClusterEvent> operators =
        number % 5 == 3
            ? operator.event(scheduler, playback.now()).map(world.times()::of)
            : Optional.empty();
    return operators.or(
        () ->
            of(
                number % 5 == 4
                    ? inTime(operator.asOneBeginsOrEnds(step, scheduler, playback.now()))
                    : step));
  }

  private Optional<ClusterEvent> of(ClusterStep step) {
    if (step.kind() == ClusterStep.Kind.PLAN && step.pick() % 4 == 1) {
      return Optional.of(ProposedStarts.of(scheduler, playback.now()));
    }
    if (step.kind() == ClusterStep.Kind.FINISH && step.pick() % 3 == 0) {
      Optional<ClusterEvent> late = lateEnd(step);
      if (late.isPresent()) {
        return late;
      }
    }
    boolean isBatched = world.has(Feature.WINDOW);
    if (step.kind() == ClusterStep.Kind.PLAN && !isBatched) {
      return Optional.of(
          spoilt(ProposedMoves.of(scheduler.view(), step.pick(), playback.now()), step.pick()));
    }
    Optional<ClusterEvent> event = playback.event(step);
    return step.kind() == ClusterStep.Kind.PLAN_AGAIN && world.has(Feature.PREFETCH) && !isBatched
        ? Optional.of(ofCopy(step.pick()))
        : event.map(world::dressed).map(other -> spoilt(other, step.pick()));
  }

  /** Returns the end of a job that had been stopped before it was told; empty if there is none. */
  private Optional<ClusterEvent> lateEnd(ClusterStep step) {
    List<JobEntry> stopped =
        Stream.concat(
                scheduler.state().jobs().allWaiting().stream(),
                scheduler.state().jobs().running().inOrder().stream())
            .filter(job -> !job.hasBegun() && job.history().hasRun())
            .toList();
    if (stopped.isEmpty()) {
      return Optional.empty();
    }
    playback.goTo(playback.now().plusSeconds(step.seconds()));
    JobEntry job = stopped.get(step.pick() / 3 % stopped.size());
    return Optional.of(new ClusterEvent.JobFinished(playback.now(), job.id()));
  }

  private ClusterEvent spoilt(ClusterEvent event, int pick) {
    return event instanceof ClusterEvent.PlanProposed proposed && pick % 3 == 0
        ? new ClusterEvent.PlanProposed(
            event.at(), HostilePlans.of(proposed.plan(), scheduler.view(), pick))
        : event;
  }

  /** Returns what becomes of a copy of a data set, whether it was asked for or not. */
  private ClusterEvent ofCopy(int pick) {
    List<Node> nodes = scheduler.view().topology().nodes();
    NodeId node = nodes.get(pick % nodes.size()).id();
    Dataset dataset = AnyWorld.dataset(pick / 7);
    return switch (pick % 4) {
      case 0 -> new ClusterEvent.PrefetchFailed(playback.now(), node, dataset.name());
      case 1 -> new ClusterEvent.DataEvicted(playback.now(), node, dataset.name());
      default -> new ClusterEvent.DataArrived(playback.now(), node, dataset);
    };
  }
}
