package io.github.liquidscheduler.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundSimulatorTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String TABLE =
      """
      {
        "v100": {"('Net', 1)": {"null": 10.0}, "('Net', 2)": {"null": 20.0}, "('Fast', 1)": {"null": 5.0}},
        "k80": {"('Net', 1)": {"null": 2.0}, "('Net', 2)": {"null": 4.0}}
      }
      """;

  @TempDir Path folder;

  private final ClusterTopology cluster =
      ClusterTopology.builder()
          .node(Node.builder("v").gpus(1, V100, Memory.ofGib(16)).build())
          .node(Node.builder("k").gpus(1, K80, Memory.ofGib(12)).build())
          .build();

  private ThroughputTable table() throws IOException {
    return ThroughputTable.readGavel(Files.writeString(folder.resolve("table.json"), TABLE));
  }

  private static TraceJob.Builder job(String id, int gpus, long iterations) {
    return TraceJob.builder(id).gpus(gpus).model("Net").iterations(iterations);
  }

  @Test
  void aJobHasAsManyRoundsAsItsWorkTakesOnTheFastestGpus() throws IOException {
    RoundSimulator rounds = RoundSimulator.of(cluster, table(), "hlas", MINUTE);

    RoundProblem problem = rounds.problem(Trace.of("t", List.of(job("a", 2, 6000).build())));

    RoundJob job = problem.jobs().getFirst();
    assertThat(problem.gpus()).containsExactly(V100, K80);
    assertThat(job.rounds()).isEqualTo(5);
    assertThat(job.scale()).isEqualTo(2);
    assertThat(seconds(job, V100)).isEqualTo(60);
    assertThat(seconds(job, K80)).isEqualTo(300);
  }

  @Test
  void aShortJobHasOneRound() throws IOException {
    RoundSimulator rounds = RoundSimulator.of(cluster, table(), "srpt", MINUTE);

    RoundProblem problem = rounds.problem(Trace.of("t", List.of(job("a", 1, 10).build())));

    assertThat(problem.jobs().getFirst().rounds()).isEqualTo(1);
    assertThat(seconds(problem.jobs().getFirst(), V100)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hare", "hlas", "srpt", "las", "gang-fifo", "gang-las"})
  void everyJobEndsWithAllItsWorkDone(String policy) throws IOException {
    Trace trace =
        Trace.of(
            "t",
            List.of(
                job("a", 2, 6000).build(),
                job("b", 1, 6000).submit(Duration.ofSeconds(30)).build(),
                job("c", 1, 600).submit(Duration.ofSeconds(90)).build()));

    SimulationResult run = RoundSimulator.of(cluster, table(), policy, MINUTE).run(trace);

    assertThat(run.finished()).hasSize(3);
    for (JobFate.Finished finished : run.finished()) {
      JobOutcome outcome = finished.outcome();
      long iterations = outcome.job().iterations().orElseThrow();
      double fastest = outcome.job().gpus() == 2 ? 20 : 10;
      assertThat(outcome.running().toMillis() / 1e3)
          .isBetween(iterations / fastest - 1e-3, 5 * iterations / fastest + 1e-3);
      assertThat(outcome.firstStart()).isGreaterThanOrEqualTo(outcome.job().submit());
    }
    assertThat(RoundSimulator.of(cluster, table(), policy, MINUTE).run(trace)).isEqualTo(run);
  }

  @Test
  void withoutThroughputsAllGpusAreAlike() {
    TraceJob job = TraceJob.builder("a").gpus(2).duration(Duration.ofMinutes(10)).build();
    RoundSimulator rounds =
        RoundSimulator.of(cluster, GroundTruth.asRecorded(), "gang-fifo", Duration.ofMinutes(5));

    SimulationResult run = rounds.run(Trace.of("t", List.of(job)));

    assertThat(run.finished().getFirst().outcome().end()).isEqualTo(Duration.ofMinutes(10));
    assertThat(run.usage().utilization()).isEqualTo(1);
  }

  @Test
  void aJobThatCannotRunOnEveryModelIsRefused() throws IOException {
    RoundSimulator rounds = RoundSimulator.of(cluster, table(), "hlas", MINUTE);
    TraceJob job = TraceJob.builder("a").gpus(1).model("Fast").iterations(10).build();

    assertThatThrownBy(() -> rounds.run(Trace.of("t", List.of(job))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must run on every GPU model of the cluster")
        .hasMessageContaining("has no speed on K80, for job 'a'");
  }

  @Test
  void badSettingsAreRefused() {
    assertThatThrownBy(
            () -> RoundSimulator.of(cluster, GroundTruth.asRecorded(), "hlas", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a round must take some time, but takes PT0S");
    assertThatThrownBy(() -> RoundSimulator.of(cluster, GroundTruth.asRecorded(), "best", MINUTE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an algorithm must be one of wspt");
  }

  private static double seconds(RoundJob job, GpuModel model) {
    return Objects.requireNonNull(job.times().get(model)).compute();
  }
}
