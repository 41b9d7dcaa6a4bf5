package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** A scenario is played on a copy, and what is expected is one scenario among others. */
class StartIfLaws {

  private static final int STEPS = 100;

  private static final RunTimeScenario AS_EXPECTED =
      (job, ran) -> job.expectedWork().flatMap(ExpectedWork::duration);

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
      Statistics.collect(scheduler.startIf(job, AS_EXPECTED, STEPS).isPresent());
      assertThat(scheduler.startIf(job, AS_EXPECTED, STEPS))
          .isEqualTo(scheduler.whatIf(List.of(), STEPS).firstStart(job));
    }
    assertThat(scheduler.snapshot()).isEqualTo(before);
  }
}
