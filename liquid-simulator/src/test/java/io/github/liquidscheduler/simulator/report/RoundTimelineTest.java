package io.github.liquidscheduler.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundTimelineTest {
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");

  private final RunDetails details =
      RoundTimeline.of(
              Trace.of(
                  "test", List.of(TraceJob.builder("a").build(), TraceJob.builder("b").build())),
              new RoundPlan(
                  List.of(
                      List.of(task(A, 0, 0, 10), task(A, 0, 10, 20), task(A, 1, 20, 30)),
                      List.of(task(B, 0, 0, 4.4), task(A, 1, 20, 25))),
                  Map.of(A, 30.0, B, 4.4)))
          .details();

  @Test
  void tasksOfOneRoundWithoutAPauseAreOneBar() {
    assertThat(details.rounds())
        .containsExactly(
            new RoundBar(0, 0, 0, 0, 20),
            new RoundBar(0, 0, 1, 20, 30),
            new RoundBar(1, 1, 0, 0, 4.4),
            new RoundBar(1, 0, 1, 20, 25));
  }

  @Test
  void aJobHoldsTheGpusOnWhichItsTasksComputeAtOnce() {
    assertThat(details.allocations())
        .containsExactly(
            new Allocation(0, 0, 20, List.of(0)),
            new Allocation(1, 0, 4, List.of(1)),
            new Allocation(0, 20, 25, List.of(0, 1)),
            new Allocation(0, 25, 30, List.of(0)));
    assertThat(details.end()).isEqualTo(30);
  }

  private static RoundPlan.Run task(JobId job, int round, double start, double end) {
    return new RoundPlan.Run(job, round, 0, start, end, end);
  }
}
