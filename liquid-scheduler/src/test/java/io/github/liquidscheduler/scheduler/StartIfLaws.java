package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** A scenario is played on a copy, and what is expected is one scenario among others. */
class StartIfLaws {

  private static final int STEPS = 100;

  /** A run time as expected; notes a job that has run longer, which would end at once. */
  private static final class AsExpected implements RunTimeScenario {
    private boolean isAnyOverdue;

    @Override
    public Optional<Duration> runTime(JobSpec job, Duration ran) {
      Optional<Duration> expected = job.expectedWork().flatMap(ExpectedWork::duration);
      isAnyOverdue |= expected.filter(all -> all.compareTo(ran) < 0).isPresent();
      return expected;
    }
  }

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(
        JobDraft.any().map(StartIfLaws::ofOneSize), EventSequence.POLICIES);
  }

  /** Other jobs' remaining time is rounded again with each change of size. */
  private static JobDraft ofOneSize(JobDraft job) {
    return new JobDraft(
        job.roles(),
        job.groups(),
        0,
        job.constraints(),
        job.priority(),
        job.preemptible(),
        job.seconds(),
        job.sharing(),
        job.queue(),
        job.utilization());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void withExactDurationsStartIfTellsTheActualStart(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    Playback playback = EventSequence.playback(scheduler);
    sequence.steps().forEach(playback::play);
    SchedulerSnapshot before = scheduler.snapshot();

    for (JobId job : scheduler.waiting()) {
      AsExpected scenario = new AsExpected();
      Optional<Instant> start = scheduler.startIf(job, scenario, STEPS);
      Statistics.collect(start.isPresent());
      if (!scenario.isAnyOverdue) {
        assertThat(start).isEqualTo(scheduler.whatIf(List.of(), STEPS).firstStart(job));
      }
    }
    assertThat(scheduler.snapshot()).isEqualTo(before);
  }
}
