package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.Runs.at;
import static io.github.liquidscheduler.simulator.Runs.ends;
import static io.github.liquidscheduler.simulator.Runs.script;
import static io.github.liquidscheduler.simulator.Runs.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The path carries 100 bytes in a second, and each data set has 1,000: ten seconds alone. */
class StorageSimulationTest {
  private static final Bandwidth PATH = new Bandwidth(100);

  /** Nodes n0, n1, … of one GPU and a disk of 2,500 bytes. */
  private static ClusterTopology nodes(int count) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < count; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(1, GpuModel.of("V100"), Memory.ofGib(16))
              .disk(Memory.ofBytes(2_500))
              .build());
    }
    return cluster.build();
  }

  private static TraceJob job(String id, long submit, int gpus, long duration, String dataset) {
    return Runs.job(id, submit, gpus, duration).toBuilder()
        .datasets(List.of(new Dataset(dataset, Memory.ofBytes(1_000))))
        .build();
  }

  private static Simulation.Builder simulation(
      ClusterTopology cluster, String policy, Optional<Prefetching> rules, TraceJob... jobs) {
    LiquidScheduler.Builder scheduler =
        LiquidScheduler.builder(cluster).policy(Policies.named(policy));
    rules.ifPresent(scheduler::prefetch);
    return Simulation.builder(trace(jobs), scheduler.build()).storage(PATH).strict();
  }

  private static SimulationResult run(ClusterTopology cluster, TraceJob... jobs) {
    return simulation(cluster, "fifo", Optional.empty(), jobs).build().run();
  }

  private static LaunchReport launches(SimulationResult result) {
    return result.counts().launches().orElseThrow();
  }

  @Test
  void aJobReadsBeforeItTrains() {
    SimulationResult result = run(nodes(1), job("a", 0, 1, 100, "clicks"));

    assertThat(ends(result)).isEqualTo("a=110");
    assertThat(launches(result)).isEqualTo(new LaunchReport(10, 10, 0, 0));
    assertThat(result.usage().usefulUtilization()).isCloseTo(100 / 110.0, within(1e-9));
  }

  @Test
  void aJobReadsOnceItsProcessesHaveStarted() {
    SimulationResult result =
        simulation(nodes(1), "fifo", Optional.empty(), job("a", 0, 1, 100, "clicks"))
            .overheads(new Overheads(Duration.ofSeconds(5), Duration.ZERO))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=115");
    assertThat(launches(result)).isEqualTo(new LaunchReport(15, 10, 0, 0));
  }

  @Test
  void jobsThatReadAtOnceShareThePath() {
    SimulationResult result =
        run(nodes(2), job("a", 0, 1, 100, "clicks"), job("b", 0, 1, 100, "films"));

    assertThat(ends(result)).isEqualTo("a=120, b=120");
    assertThat(launches(result).gpuSeconds()).isEqualTo(40);
  }

  @Test
  void whatWasReadStaysOnTheNode() {
    SimulationResult result =
        run(nodes(1), job("a", 0, 1, 100, "clicks"), job("b", 0, 1, 100, "clicks"));

    assertThat(ends(result)).isEqualTo("a=110, b=210");
  }

  @Test
  void aGangReadsOnEachOfItsNodes() {
    SimulationResult result = run(nodes(2), job("a", 0, 2, 100, "clicks"));

    assertThat(ends(result)).isEqualTo("a=120");
    assertThat(launches(result).gpuSeconds()).isEqualTo(40);
  }

  /** Without prefetching b reads from 110 on; with it, while a trains. */
  @Test
  void gpusDoNotIdleForWhatIsBroughtWhileOthersTrain() {
    TraceJob[] jobs = {job("a", 0, 1, 100, "clicks"), job("b", 20, 1, 100, "films")};
    SimulationResult without = run(nodes(1), jobs);

    assertThat(ends(without)).isEqualTo("a=110, b=220");
    assertThat(launches(without)).isEqualTo(new LaunchReport(20, 20, 0, 0));
    for (Prefetching rules :
        List.of(Prefetching.over(PATH).build(), Prefetching.liquid(PATH, .5).build())) {
      SimulationResult with = simulation(nodes(1), "fifo", Optional.of(rules), jobs).build().run();

      assertThat(ends(with)).isEqualTo("a=110, b=210");
      assertThat(launches(with)).isEqualTo(new LaunchReport(10, 10, 1_000, 0));
    }
  }

  @Test
  void aJobThatIsPreemptedWhileItLaunchesReadsAgain() {
    SimulationResult result =
        simulation(
                nodes(1),
                "srtf",
                Optional.empty(),
                job("long", 0, 1, 100, "clicks"),
                Runs.job("short", 4, 1, 10))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("long=124, short=14");
    assertThat(launches(result).gpuSeconds()).isEqualTo(14);
  }

  @Test
  void whatAFailedNodeHasReadIsThereWhenItReturns() {
    ClusterTopology cluster = nodes(1);
    SimulationResult result =
        simulation(cluster, "fifo", Optional.empty(), job("a", 0, 1, 100, "clicks"))
            .failures(
                script(
                    cluster,
                    new ClusterEvent.NodeLost(at(50), NodeId.of("n0")),
                    new ClusterEvent.NodeReturned(at(60), NodeId.of("n0"))))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=120");
  }

  @Test
  void withoutAStorageJobsReadNothing() {
    SimulationResult result =
        Simulation.builder(trace(job("a", 0, 1, 100, "clicks")), Runs.scheduler("fifo", nodes(1)))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=100");
    assertThat(result.counts().launches()).isEmpty();
  }

  @Test
  void aPathOfNothingIsRefused() {
    assertThatThrownBy(
            () ->
                Simulation.builder(
                        trace(job("a", 0, 1, 1, "clicks")), Runs.scheduler("fifo", nodes(1)))
                    .storage(new Bandwidth(0)))
        .hasMessageStartingWith("the path from a storage must have a bandwidth");
  }
}
