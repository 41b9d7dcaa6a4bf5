package io.github.liquidscheduler.simulator.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResultWritersTest {

  private static final TraceJob A = TraceJob.builder("a").gpus(2).build();
  private static final TraceJob B =
      TraceJob.builder("b, the \"second\"").submit(Duration.ofSeconds(5)).build();

  private final SimulationResult result =
      result(
          new JobFate.Finished(
              new JobOutcome(
                  A, Duration.ofMillis(1500), Duration.ofSeconds(10), Duration.ofSeconds(4), 1),
              2),
          new JobFate.Rejected(B, "asked too much"));

  private static SimulationResult result(JobFate... fates) {
    return new SimulationResult(
        List.of(fates),
        new SimulationResult.Usage(0.5, 0.25, OptionalDouble.of(0)),
        new SimulationResult.Counts(1, 2, 1, OptionalLong.of(7), OptionalLong.of(3)),
        "c0ffee");
  }

  @Test
  void theSummaryHasTheSettingsFirstAndThenTheFigures() {
    assertThat(ResultJson.of(Map.of("policy", "fifo"), result))
        .isEqualTo(
            """
            {
              "policy" : "fifo",
              "jobs" : 2,
              "finished" : 1,
              "rejected" : 1,
              "unfinished" : 0,
              "avg_jct" : 10.0,
              "median_jct" : 10.0,
              "p95_jct" : 10.0,
              "p99_jct" : 10.0,
              "sum_jct" : 10.0,
              "makespan" : 10.0,
              "avg_queueing" : 6.0,
              "median_queueing" : 6.0,
              "p95_queueing" : 6.0,
              "p99_queueing" : 6.0,
              "utilization" : 0.5,
              "useful_utilization" : 0.25,
              "fragmentation" : 0.0,
              "preemptions" : 1,
              "failures" : 2,
              "out_of_memory" : 1,
              "events" : 7,
              "decisions" : 3,
              "decisions_digest" : "c0ffee",
              "rejections" : [
                {
                  "job" : "b, the \\"second\\"",
                  "why" : "asked too much"
                }
              ],
              "leftovers" : [ ]
            }
            """);
  }

  @Test
  void withoutAFinishedJobTimesAreNull() {
    assertThat(ResultJson.of(Map.of(), result(new JobFate.Unfinished(A, "waits"))))
        .contains("\"avg_jct\" : null", "\"makespan\" : null", "\"why\" : \"waits\"");
  }

  @Test
  void eachJobHasALine() {
    StringBuilder text = new StringBuilder();
    ResultCsv.write(result, text);

    assertThat(text)
        .hasToString(
            """
            job,gpus,status,submit,first_start,end,jct,queueing,running,preemptions,failures,why
            a,2,finished,0,1.5,10,10,6,4,1,2,
            "b, the ""second""\",1,rejected,5,,,,,,,,asked too much
            """);
  }
}
