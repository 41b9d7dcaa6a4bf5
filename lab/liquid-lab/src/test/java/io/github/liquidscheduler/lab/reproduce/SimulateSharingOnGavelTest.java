package io.github.liquidscheduler.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cli.Command;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.lab.LabRun;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Gavel's jobs a simulation gives what the comparison of ways of sharing gives. */
class SimulateSharingOnGavelTest {

  private static final int SOONER = 10;

  @TempDir Path folder;

  private Path throughputs;
  private Path trace;
  private SharingComparison comparison;

  @BeforeEach
  void takeTheFirstJobs() throws IOException {
    throughputs = SharedData.file("gavel/simulation_throughputs.json");
    Path all = SharedData.file("gavel/traces/msr/seed=0/103959.trace");
    ThroughputTable truth = ThroughputTable.readGavel(throughputs);
    trace =
        Files.write(
            folder.resolve("jobs.trace"),
            Files.readAllLines(all).stream()
                .filter(line -> line.endsWith("\t1"))
                .limit(150)
                .toList());
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n").gpus(8, GpuModel.of("V100"), Memory.ofGib(16)).build())
            .build();
    TraceSource known =
        TraceFormat.GAVEL.reader().read(trace).filtered(truth::knows).withLoad(SOONER);
    comparison =
        new SharingComparison(
            MeasuredJobs.of(known.held(), SlowdownTable.read(throughputs), cluster, truth),
            cluster,
            .25,
            .6);
  }

  private Command simulate(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("simulate", "--trace", trace.toString(), "--format", "gavel"));
    arguments.addAll(List.of("--throughputs", throughputs.toString(), "--skip-unmeasured"));
    arguments.addAll(List.of("--slowdowns", throughputs.toString(), "--json", "-"));
    arguments.addAll(List.of("--cluster", "1x8xV100", "--load", Integer.toString(SOONER)));
    arguments.addAll(List.of("--policy", "best-effort-fifo"));
    arguments.addAll(List.of(more));
    return LabRun.of(arguments.toArray(String[]::new));
  }

  private static void assertAlike(Command command, SharingComparison.Row row) {
    assertThat(command.figure("avg_jct")).isCloseTo(3600 * row.hours(), within(1.0));
    assertThat(command.figure("p95_jct")).isCloseTo(3600 * row.longHours(), within(1.0));
    assertThat(command.figure("below_floor")).isCloseTo(row.partBelow(), within(1e-9));
    assertThat(command.figure("shared_gpu_seconds")).isPositive();
  }

  @Test
  void whereTheSchedulerKnowsEveryPair() {
    assertAlike(
        simulate("--colocate", "measured"),
        comparison.predicted("known", comparison.oracle(), false));
  }

  @Test
  void whereItPlansAndKnowsEveryPair() {
    BatchWindow window = BatchWindow.of(Duration.ofMinutes(1)).bypassLimit(30);

    assertAlike(
        simulate(
            "--colocate measured --mode batch --window 1m --bypass-limit 30 --planner greedy"
                .split(" ")),
        comparison.planned("known", comparison.oracle(), window));
  }

  @Test
  void whereAnotherSystemDecides() {
    assertAlike(simulate("--placer", "share-first-fit"), comparison.oblivious().get(0).get());
  }

  @Test
  void theShippedModelsKnowThesePairsSoPredictionsShortenTheWait() {
    Command command = simulate("--colocate", "predicted");

    assertThat(command.figure("avg_jct")).isLessThan(3600 * comparison.exclusive().hours());
    assertThat(command.figure("below_floor")).isLessThan(.05);
  }
}
