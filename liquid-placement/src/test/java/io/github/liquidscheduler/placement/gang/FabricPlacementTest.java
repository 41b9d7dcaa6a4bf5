package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.search.LeastCostPlacer;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two racks: in one, eight nodes of four GPUs that NVLink joins across nodes, as in an NVL72 cut
 * down; in the other, eight of the same nodes joined by network cards alone.
 */
class FabricPlacementTest {

  private static final long BYTES = 10_000_000_000L;

  private final ClusterState state = ClusterState.of(cluster());

  static List<Communication> patterns() {
    return List.of(
        new Communication.AllReduce(BYTES),
        new Communication.TensorParallel(16, BYTES),
        new Communication.AllToAll(BYTES));
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void gangsOfSeveralNodesGoWhereNvlinkSpansThem(Communication pattern) {
    Placement placement = place(LeastCostPlacer.physical(), gang(16, pattern));

    assertThat(placement.nodes()).allMatch(node -> node.value().startsWith("nvl"));
  }

  @Test
  void aTighterRackWithoutNvlinkDrawsBestFitButNotLeastCost() {
    JobSpec filler = JobSpec.builder("filler").gpus(4).nodeLabel("rack", "eth").build();
    state.apply(filler, place(BestFitPlacer.bestFit(), filler));
    JobSpec job = gang(16, new Communication.AllReduce(BYTES));

    assertThat(place(BestFitPlacer.bestFit(), job).nodes())
        .allMatch(node -> node.value().startsWith("eth"));
    assertThat(place(LeastCostPlacer.physical(), job).nodes())
        .allMatch(node -> node.value().startsWith("nvl"));
  }

  @Test
  void networkCardsCostByTheRatioOfTheRates() {
    JobSpec job = gang(16, new Communication.AllReduce(BYTES));

    double fabric = communicating(job, "nvl");
    double cards = communicating(job, "eth");

    assertThat(cards / fabric).isCloseTo(900.0 / 50, within(0.5));
  }

  @Test
  void aGangThatIsTooLargeForTheFabricStillGetsAPlace() {
    assertThat(
            place(LeastCostPlacer.physical(), gang(48, new Communication.AllReduce(BYTES))).gpus())
        .isEqualTo(48);
  }

  /** Returns the seconds of communicating in an iteration on the first four nodes of a rack. */
  private double communicating(JobSpec job, String rack) {
    TaskCounts counts = new TaskCounts(state.topology().nodes().size(), 1);
    for (int node = 0; node < 4; node++) {
      counts.add(state.topology().position(NodeId.of(rack + node)), 0, 4);
    }
    return PhysicalCost.of(state.loads().model(), state.loads())
        .forJob(job)
        .explain(counts)
        .terms()
        .stream()
        .filter(term -> term instanceof CostBreakdown.Quantity)
        .map(term -> (CostBreakdown.Quantity) term)
        .filter(quantity -> quantity.name().equals("seconds of communicating"))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private Placement place(Placer placer, JobSpec job) {
    return placer.place(state, job).orElseThrow();
  }

  private static JobSpec gang(int gpus, Communication pattern) {
    return JobSpec.builder("gang").gpus(gpus).communication(pattern).build();
  }

  private static ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    cluster.domain(Domain.of("rack", "nvl").withFabric(Bandwidth.ofGigabytesPerSecond(900)));
    cluster.domain(Domain.of("rack", "eth"));
    for (String rack : List.of("eth", "nvl")) {
      for (int node = 0; node < 8; node++) {
        cluster.node(
            Node.builder(rack + node)
                .domain(rack)
                .label("rack", rack)
                .gpus(4, GpuModel.of("GB200"), Memory.ofGib(186))
                .nic(Link.of(Bandwidth.ofGigabytesPerSecond(50)))
                .nvlink(Bandwidth.ofGigabytesPerSecond(900))
                .build());
      }
    }
    return cluster.build();
  }
}
