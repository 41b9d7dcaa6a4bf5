package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The delay of a retry is over before the job starts, whatever is promised to it. */
class DelayLaws {

  /** What happens, and how deadlines are heeded, if they are. */
  private record World(EventSequence events, Optional<LateJobs> late) {

    LiquidScheduler.Builder options(ClusterTopology cluster) {
      LiquidScheduler.Builder options = events.options(cluster);
      return late.map(jobs -> options.elasticity(elasticity(jobs))).orElse(options);
    }

    private static Elasticity elasticity(LateJobs late) {
      return Elasticity.by(SizingPolicy.marginalGain())
          .cost(ResizeCost.NONE)
          .worthwhile(0)
          .deadlines(late)
          .build();
    }
  }

  /** The end of each delay, from events alone. */
  private final Map<JobId, Instant> delays = new HashMap<>();

  @Provide
  Arbitrary<World> worlds() {
    return Combinators.combine(
            EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES),
            Arbitraries.of(
                Optional.<LateJobs>empty(),
                Optional.of(LateJobs.WAIT),
                Optional.of(LateJobs.WAIT),
                Optional.of(LateJobs.REFUSE)))
        .as((events, late) -> new World(events, late));
  }

  /** Goes on with a copy or a restored scheduler once in a while. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void noJobStartsBeforeTheDelayOfItsRetryIsOver(@ForAll("worlds") World world) {
    delays.clear();
    LiquidScheduler scheduler = world.options(world.events().cluster()).build();
    Playback playback = new Playback(scheduler, new StalePlans());
    int number = 0;
    for (ClusterStep step : world.events().steps()) {
      if (number++ % 7 == 3) {
        scheduler =
            number % 2 == 0
                ? (LiquidScheduler) scheduler.copy()
                : world.options(scheduler.view().topology()).restore(scheduler.snapshot());
        playback = playback.goingOnWith(scheduler);
      }
      Optional<ClusterEvent> event = playback.event(step);
      if (event.isPresent()) {
        ClusterEvent taken = changed(event.get(), step, scheduler);
        enter(taken, playback.take(taken).decisions());
      }
    }
  }

  private void enter(ClusterEvent event, List<Decision> decisions) {
    switch (event) {
      case ClusterEvent.JobFailed failed when failed.retry().again() ->
          delays.put(failed.job(), failed.at().plus(failed.retry().after()));
      case ClusterEvent.JobUpdated updated -> delays.remove(updated.job());
      default -> {}
    }
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Start start) {
        assertThat(event.at())
            .as("start of %s with %s", start.job(), event)
            .isAfterOrEqualTo(delays.getOrDefault(start.job(), Instant.MIN));
      }
    }
  }

  /** Gives jobs deadlines, and those that failed delays; every other one is updated as it fails. */
  private static ClusterEvent changed(
      ClusterEvent event, ClusterStep step, LiquidScheduler scheduler) {
    return switch (event) {
      case ClusterEvent.JobSubmitted submitted when step.pick() % 3 > 0 -> {
        Instant deadline = event.at().plus(Duration.ofSeconds(60 + step.pick()));
        JobSpec job = submitted.spec().toBuilder().deadline(deadline).build();
        yield new ClusterEvent.JobSubmitted(event.at(), job);
      }
      case ClusterEvent.JobFailed failed when failed.retry().again() -> {
        JobSpec job = Objects.requireNonNull(scheduler.state().jobs().get(failed.job())).job();
        JobSpec other = job.toBuilder().priority(job.priority() + 1).build();
        yield new ClusterEvent.JobFailed(
            failed.at(),
            failed.job(),
            failed.failure(),
            Retry.after(Duration.ofSeconds(step.pick())),
            Optional.of(other).filter(any -> step.pick() % 2 > 0));
      }
      default -> event;
    };
  }
}
