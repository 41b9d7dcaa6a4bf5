package io.github.liquidscheduler.simulator;

import static io.github.liquidscheduler.simulator.Runs.at;
import static io.github.liquidscheduler.simulator.Runs.cluster;
import static io.github.liquidscheduler.simulator.Runs.ends;
import static io.github.liquidscheduler.simulator.Runs.job;
import static io.github.liquidscheduler.simulator.Runs.scheduler;
import static io.github.liquidscheduler.simulator.Runs.script;
import static io.github.liquidscheduler.simulator.Runs.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.simulator.failure.RandomFailures;
import io.github.liquidscheduler.simulator.trace.SampleTrace;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FailureTest {

  private static final NodeId N0 = NodeId.of("n0");

  private final ClusterTopology twoNodes = cluster(2, 2);
  private final ClusterTopology oneNode = cluster(2);

  private static Simulation.Builder onTwo(ClusterTopology cluster, Trace trace) {
    return Simulation.builder(trace, scheduler("fifo", cluster)).strict();
  }

  @Test
  void aJobOnALostNodeGoesOnElsewhere() {
    SimulationResult result =
        onTwo(twoNodes, trace(job("a", 0, 2, 100)))
            .failures(script(twoNodes, new ClusterEvent.NodeLost(at(30), N0)))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=100");
    assertThat(result.counts().failures()).isEqualTo(1);
    assertThat(result.counts().preemptions()).isZero();
    assertThat(result.finished().get(0).failures()).isEqualTo(1);
  }

  @Test
  void whatWasDoneSinceTheLastCheckpointIsLost() {
    SimulationResult result =
        onTwo(twoNodes, trace(job("a", 0, 2, 100)))
            .failures(script(twoNodes, new ClusterEvent.NodeLost(at(30), N0)))
            .checkpointEvery(Duration.ofSeconds(20))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=110");
    assertThat(result.usage().utilization()).isEqualTo(0.5);
    assertThat(result.usage().usefulUtilization()).isEqualTo(100.0 * 2 / (110 * 4));
  }

  @Test
  void aJobWaitsUntilItsNodeReturns() {
    SimulationResult result =
        onTwo(oneNode, trace(job("a", 0, 2, 100)))
            .failures(
                script(
                    oneNode,
                    new ClusterEvent.NodeLost(at(30), N0),
                    new ClusterEvent.NodeReturned(at(50), N0)))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=120");
  }

  @Test
  void aJobWhoseNodeNeverReturnsIsLeftWithTheReason() {
    SimulationResult result =
        onTwo(oneNode, trace(job("a", 0, 2, 100)))
            .failures(script(oneNode, new ClusterEvent.NodeLost(at(30), N0)))
            .build()
            .run();

    assertThat(result.unfinished())
        .singleElement()
        .satisfies(job -> assertThat(job.why()).contains("requested 2 GPUs, available 0 GPUs"));
  }

  @Test
  void aDrainingNodeFinishesWhatItHasAndTakesNothingNew() {
    SimulationResult result =
        onTwo(oneNode, trace(job("a", 0, 1, 100), job("b", 20, 1, 10)))
            .failures(
                script(
                    oneNode,
                    new ClusterEvent.NodeDraining(at(10), N0),
                    new ClusterEvent.NodeReturned(at(50), N0)))
            .build()
            .run();

    assertThat(ends(result)).isEqualTo("a=100, b=60");
    assertThat(result.counts().failures()).isZero();
  }

  @Test
  void aLostGpuStopsOnlyTheJobOnIt() {
    GpuId gpu = GpuId.of("n0", 0);
    SimulationResult result =
        onTwo(oneNode, trace(job("a", 0, 1, 100), job("b", 0, 1, 100)))
            .failures(
                script(
                    oneNode,
                    new ClusterEvent.GpuLost(at(30), gpu),
                    new ClusterEvent.GpuReturned(at(40), gpu)))
            .build()
            .run();

    assertThat(result.counts().failures()).isEqualTo(1);
    assertThat(result.statistics().orElseThrow().completion().sum())
        .isEqualTo(Duration.ofSeconds(210));
  }

  @Test
  void randomFailuresStopJobsAndAllOfThemFinishAllTheSame() {
    SimulationResult result = withRandomFailures(7);

    assertThat(result.counts().failures()).isPositive();
    assertThat(result.finished()).hasSize(240);
  }

  @Test
  void theSameSeedGivesTheSameFailures() {
    assertThat(withRandomFailures(7)).isEqualTo(withRandomFailures(7));
    assertThat(withRandomFailures(7).decisionsDigest())
        .isNotEqualTo(withRandomFailures(8).decisionsDigest());
  }

  @Tag("slow")
  @Test
  void nodesThatFailTooOftenForAnyJobToEndAreRefused() {
    Simulation simulation =
        onTwo(oneNode, trace(job("a", 0, 1, 100_000)))
            .randomFailures(new RandomFailures(Duration.ofSeconds(1), Duration.ofHours(1), 7))
            .build();

    assertThatIllegalArgumentException()
        .isThrownBy(simulation::run)
        .withMessageStartingWith("jobs must end between random failures, but none did during");
  }

  private static SimulationResult withRandomFailures(long seed) {
    ClusterTopology cluster = cluster(8, 8, 8, 8);
    return Simulation.builder(SampleTrace.read(), scheduler("best-effort-fifo", cluster))
        .randomFailures(new RandomFailures(Duration.ofHours(8), Duration.ofMinutes(30), seed))
        .checkpointEvery(Duration.ofMinutes(10))
        .build()
        .run();
  }
}
