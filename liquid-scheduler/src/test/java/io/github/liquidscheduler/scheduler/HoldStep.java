package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.Playback;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Users who hold jobs and release them. */
final class HoldStep {

  private HoldStep() {}

  /** Returns what a user says instead of a step; empty in most cases. */
  static Optional<ClusterEvent> of(
      AnyWorld world, int number, ClusterStep step, LiquidScheduler scheduler, Playback playback) {
    if (!world.has(Feature.HOLDS) || number % 5 != 2) {
      return Optional.empty();
    }
    List<JobId> live =
        Stream.concat(
                scheduler.waiting().stream(), scheduler.view().runningJobs().stream().limit(2))
            .toList();
    List<JobId> held = live.stream().filter(job -> scheduler.held(job).isPresent()).toList();
    if (live.isEmpty()) {
      return Optional.empty();
    }
    playback.goTo(playback.now().plusSeconds(step.seconds()));
    int pick = step.pick() / 3;
    return Optional.of(
        held.isEmpty() || step.pick() % 3 == 0
            ? new ClusterEvent.JobHeld(playback.now(), live.get(pick % live.size()), "busy")
            : new ClusterEvent.JobReleased(playback.now(), held.get(pick % held.size())));
  }

  /** Returns a submission with a hold on it, in some cases. */
  static ClusterEvent withHold(AnyWorld world, ClusterEvent event, int pick) {
    return world.has(Feature.HOLDS)
            && event instanceof ClusterEvent.JobSubmitted submitted
            && pick % 5 == 0
        ? ClusterEvent.together(
            List.of(event, new ClusterEvent.JobHeld(event.at(), submitted.job(), "not yet")))
        : event;
  }
}
