package io.github.liquidscheduler.placement.fragmentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacementScenario;
import io.github.liquidscheduler.testkit.PlacerContract;
import io.github.liquidscheduler.testkit.PlainCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LeastFragmentationPlacerLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return Placers.leastFragmentation();
  }

  @Override
  protected ClusterView shown(PlainCluster cluster) {
    return ClusterState.copyOf(cluster);
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void aJobIsPlacedWheneverBestFitPlacesIt(@ForAll("scenarios") PlacementScenario scenario) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());

    assertThat(placer().place(state, scenario.job()).isPresent())
        .isEqualTo(Placers.bestFit().place(state, scenario.job()).isPresent());
  }

  /** Each GPU of the kind that was chosen is tried here, by nothing but what the view shows. */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void aShareGoesWhereFragmentationGrowsLeast(
      @ForAll("scenarios") PlacementScenario scenario,
      @ForAll @IntRange(min = 50, max = 950) int share) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());
    ResourceRequest request =
        ResourceRequest.builder().share(GpuShare.ofThousandths(share)).build();
    JobSpec job = JobSpec.builder("share").role("worker", 1, request).build();
    Optional<Placement> placement = placer().place(state, job);
    Assume.that(placement.isPresent());
    TaskPlacement task = placement.orElseThrow().tasks().getFirst();
    GpuId chosen = new GpuId(task.node(), task.gpus().getFirst());

    assertThat(gpus(state))
        .filteredOn(gpu -> kind(state, gpu).equals(kind(state, chosen)))
        .filteredOn(gpu -> state.health(gpu.node()) == NodeHealth.UP && !state.isLost(gpu))
        .filteredOn(gpu -> state.freeShare(gpu) >= share)
        .contains(chosen)
        .allMatch(gpu -> growth(state, job, chosen) <= growth(state, job, gpu));
  }

  private static List<GpuId> gpus(ClusterState state) {
    return state.topology().nodes().stream()
        .flatMap(
            node ->
                IntStream.range(0, node.gpus().size()).mapToObj(gpu -> new GpuId(node.id(), gpu)))
        .toList();
  }

  private static String kind(ClusterState state, GpuId gpu) {
    Gpu device = state.topology().node(gpu.node()).gpus().get(gpu.index());
    return device.model() + " " + device.memory();
  }

  private static long growth(ClusterState state, JobSpec job, GpuId gpu) {
    TypicalTasks typical = TypicalTasks.of(state, job);
    Remainder left = Remainder.of(state.index(), state.topology().position(gpu.node()));
    TaskKind kind = TaskKind.of(job.roles().getFirst().request());
    return typical.fragmentation(left.without(kind, gpu.index())) - typical.fragmentation(left);
  }
}
