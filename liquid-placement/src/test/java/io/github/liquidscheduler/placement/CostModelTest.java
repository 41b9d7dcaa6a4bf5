package io.github.liquidscheduler.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.cost.CandidatePlacement;
import io.github.liquidscheduler.placement.cost.CostModel;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class CostModelTest {

  /** Two racks of four nodes of four GPUs: V100 in the first rack, A100 in the second. */
  private final ClusterTopology cluster = cluster();

  private static final List<String> DEAR_TO_CHEAP =
      List.of("r0n0", "r1n3", "r0n1", "r1n2", "r0n3", "r1n0", "r0n2", "r1n1");

  /** Each task costs what its node costs. */
  private static final CostModel BY_NODE =
      (view, candidate) -> sum(candidate, node -> 100 - DEAR_TO_CHEAP.indexOf(node));

  @Test
  void aJobOfOneNodeGoesToTheCheapestThatHoldsIt() {
    assertThat(nodes(BY_NODE, JobSpec.builder("one").gpus(1).build())).containsExactly("r1n1");
  }

  @Test
  void aGangWithoutCommunicationGoesToTheCheapestNodesOfItsLevel() {
    assertThat(nodes(BY_NODE, workers(2, 4).build())).containsExactlyInAnyOrder("r1n0", "r1n1");
  }

  @Test
  void aGangThatCommunicatesGoesToTheCheapestNodes() {
    JobSpec ring = workers(3, 4).communication(new Communication.AllReduce(1_000_000)).build();

    assertThat(nodes(BY_NODE, ring)).containsExactlyInAnyOrder("r1n2", "r1n0", "r1n1");
  }

  @Test
  void aShareOfAGpuIsTakenOnTheCheapestNode() {
    JobSpec half =
        JobSpec.builder("half")
            .role("worker", 1, ResourceRequest.builder().share(GpuShare.ofPercent(50)).build())
            .build();

    assertThat(nodes(BY_NODE, half)).containsExactly("r1n1");
  }

  @Test
  void slicesGoWhereTheyCostLeastTogether() {
    CostModel firstRackOnly =
        (view, candidate) -> sum(candidate, node -> node.startsWith("r0") ? -1 : 1);
    JobSpec sliced = workers(4, 2).topology(TopologyConstraint.NONE.andSlices(2, "rack")).build();

    assertThat(nodes(firstRackOnly, sliced)).allMatch(node -> node.startsWith("r0"));
  }

  @Test
  void theModelPreferredByTheJobGoesBeforeTheCost() {
    JobSpec prefers =
        JobSpec.builder("v100")
            .gpus(1)
            .gpuModels(List.of(GpuModel.of("V100"), GpuModel.of("A100")))
            .build();

    assertThat(nodes(BY_NODE, prefers)).containsExactly("r0n2");
  }

  @Test
  void theModelSeesWhoRunsWhereAndOnlyWhatFits() {
    LiveCluster live = LiveCluster.of(cluster);
    JobSpec first = workers(1, 3).build();
    live.start(first, Placers.leastCost(BY_NODE).place(live.view(), first).orElseThrow());
    CostModel leastLeft =
        (view, candidate) -> {
          double left = 0;
          for (CandidatePlacement.NodeTasks node : candidate.nodes()) {
            left += Math.sqrt(view.freeGpus(node.node()) - candidate.gpusOn(node));
          }
          return left;
        };

    assertThat(nodes(leastLeft, live.view(), JobSpec.builder("next").gpus(1).build()))
        .containsExactly("r1n1");
  }

  @Test
  void aCostThatIsNotANumberIsRefused() {
    CostModel broken =
        new CostModel() {
          @Override
          public double cost(ClusterView view, CandidatePlacement candidate) {
            return Double.NaN;
          }

          @Override
          public String name() {
            return "broken";
          }
        };

    assertThatThrownBy(() -> nodes(broken, JobSpec.builder("one").gpus(1).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a cost must be a number, but was NaN, from cost model 'broken' for job 'one'");
  }

  @Test
  void aJobIsPlacedThoughEveryPlacementCostsInfinitelyMuch() {
    assertThat(nodes((view, candidate) -> Double.POSITIVE_INFINITY, workers(2, 4).build()))
        .hasSize(2);
  }

  private List<String> nodes(CostModel model, JobSpec job) {
    return nodes(model, LiveCluster.of(cluster).view(), job);
  }

  private static List<String> nodes(CostModel model, ClusterView view, JobSpec job) {
    Placement placement = Placers.leastCost(model).place(view, job).orElseThrow();
    return placement.nodes().stream().map(Object::toString).toList();
  }

  private static double sum(CandidatePlacement candidate, ToDoubleFunction<String> costOfTask) {
    return candidate.nodes().stream()
        .mapToDouble(node -> node.tasks() * costOfTask.applyAsDouble(node.node().value()))
        .sum();
  }

  private static JobSpec.Builder workers(int tasks, int gpus) {
    return JobSpec.builder("gang").role("worker", tasks, ResourceRequest.ofGpus(gpus));
  }

  private static ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 2; rack++) {
      cluster.domain(Domain.of("rack", "r" + rack));
      for (int node = 0; node < 4; node++) {
        cluster.node(
            Node.builder("r" + rack + "n" + node)
                .domain("r" + rack)
                .gpus(4, GpuModel.of(rack == 0 ? "V100" : "A100"), Memory.ofGib(16))
                .build());
      }
    }
    return cluster.build();
  }
}
