package io.github.liquidscheduler.simulator.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JctStatisticsTest {

  @Test
  void completionAndQueueingAreCountedFromSubmission() {
    JobOutcome stoppedForAWhile = outcome(10, 15, 40, 20);

    assertThat(stoppedForAWhile.completion()).isEqualTo(Duration.ofSeconds(30));
    assertThat(stoppedForAWhile.queueing()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void makespanIsFromTheFirstSubmissionToTheLastEnd() {
    JctStatistics statistics =
        JctStatistics.of(List.of(outcome(10, 10, 50, 40), outcome(5, 6, 20, 14)));

    assertThat(statistics.completion().count()).isEqualTo(2);
    assertThat(statistics.makespan()).isEqualTo(Duration.ofSeconds(45));
    assertThat(statistics.completion().sum()).isEqualTo(Duration.ofSeconds(55));
    assertThat(statistics.queueing().percentile(100)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void anOutcomeAgainstTheOrderOfEventsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outcome(10, 9, 20, 5))
        .withMessage(
            "submit and first start must be in this order and not negative, but were PT10S and"
                + " PT9S, for job 'a'");
    assertThatIllegalArgumentException().isThrownBy(() -> outcome(10, 12, 11, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> outcome(10, 12, 20, 9));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JobOutcome(job(0), seconds(0), seconds(1), seconds(1), -1))
        .withMessage("preemptions must not be negative, but were -1, for job 'a'");
  }

  private static JobOutcome outcome(long submit, long firstStart, long end, long running) {
    return new JobOutcome(job(submit), seconds(firstStart), seconds(end), seconds(running), 0);
  }

  private static TraceJob job(long submit) {
    return TraceJob.builder("a").submit(seconds(submit)).build();
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
