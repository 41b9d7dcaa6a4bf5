package io.github.liquidscheduler.placement.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.ExhaustiveFit;
import io.github.liquidscheduler.placement.gang.RandomPlacer;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacementScenario;
import io.github.liquidscheduler.testkit.PlacerContract;
import io.github.liquidscheduler.testkit.PlainCluster;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LeastCostPlacerLaws extends PlacerContract {

  private static final int RACKS = 2;
  private static final int NODES_IN_RACK = 4;

  @Override
  protected Placer placer() {
    return LeastCostPlacer.physical();
  }

  @Override
  protected ClusterView shown(PlainCluster cluster) {
    return ClusterState.copyOf(cluster);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aJobOfOneRoleIsPlacedExactlyWhenItFits(@ForAll("scenarios") PlacementScenario scenario) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());

    assertThat(placer().place(state, scenario.job()).isPresent())
        .isEqualTo(new ExhaustiveFit(scenario.cluster(), scenario.job()).fits());
  }

  @Property
  void costsNoMoreThanBestFit(@ForAll(supplier = Choices.Any.class) Choices choices) {
    ClusterState state = loaded(choices.random());
    JobSpec job = ring("job", 3 + choices.random().nextInt(8), 500_000_000L);

    Optional<Placement> placement = placer().place(state, job);

    placement.ifPresent(
        found ->
            assertThat(cost(state, job, found))
                .isLessThanOrEqualTo(
                    cost(state, job, BestFitPlacer.bestFit().place(state, job).orElseThrow())
                        + 1e-12));
  }

  @Property
  void serversAndWorkersCostNoMoreThanByBestFitAndStayInTheRequiredLevel(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    ClusterState state = loaded(choices.random());
    JobSpec job = serversAndWorkers(choices.random());

    Optional<Placement> placement = placer().place(state, job);

    placement.ifPresent(
        found -> {
          assertThat(cost(state, job, found))
              .isLessThanOrEqualTo(
                  cost(state, job, BestFitPlacer.bestFit().place(state, job).orElseThrow())
                      + 1e-12);
          if (job.topology().required().isPresent()) {
            assertThat(found.nodes())
                .extracting(node -> node.value().substring(0, 2))
                .containsOnly(rackOf(found));
          }
          state.apply(job, found);
        });
  }

  private static String rackOf(Placement placement) {
    return placement.tasks().get(0).node().value().substring(0, 2);
  }

  @Property
  void eachTaskGetsGpusWithTheMemoryItAsks(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    ClusterState state = ofTwoKinds(random);
    JobSpec job =
        JobSpec.builder("job")
            .role("server", 1 + random.nextInt(3), gpuWith(Memory.ofGib(32)))
            .role("worker", 4 + random.nextInt(8), gpuWith(Memory.ofGib(16)))
            .communication(new Communication.ParameterServer("server", "worker", 500_000_000L))
            .build();

    Optional<Placement> placement = placer().place(state, job);

    placement.ifPresent(
        found ->
            assertThat(found.tasks())
                .allMatch(
                    task ->
                        task.gpus().stream()
                            .map(gpu -> state.topology().node(task.node()).gpus().get(gpu))
                            .allMatch(
                                gpu ->
                                    gpu.memory().compareTo(task.request().gpuMemory().orElseThrow())
                                        >= 0)));
  }

  private static ResourceRequest gpuWith(Memory memory) {
    return ResourceRequest.builder().gpus(1).gpuMemory(memory).build();
  }

  private static ClusterState ofTwoKinds(Random random) {
    ClusterTopology.Builder builder = ClusterTopology.builder();
    for (int node = 0; node < 6; node++) {
      Node.Builder described =
          Node.builder("n" + node)
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(5 + random.nextInt(20))));
      builder.node(
          random.nextBoolean()
              ? described.gpus(1 + random.nextInt(4), GpuModel.of("V100"), Memory.ofGib(16)).build()
              : described
                  .gpus(1 + random.nextInt(4), GpuModel.of("A100"), Memory.ofGib(40))
                  .build());
    }
    return ClusterState.of(builder.build());
  }

  private static JobSpec serversAndWorkers(Random random) {
    JobSpec.Builder job =
        JobSpec.builder("job")
            .role("server", 1 + random.nextInt(2), ResourceRequest.ofGpus(random.nextInt(2)))
            .role("worker", 1 + random.nextInt(12), ResourceRequest.ofGpus(1 + random.nextInt(2)))
            .communication(new Communication.ParameterServer("server", "worker", 100_000_000L));
    return random.nextBoolean()
        ? job.build()
        : job.topology(TopologyConstraint.required("rack")).build();
  }

  @Test
  void isWithinThreePercentOfTheOptimumOnTheMean() {
    double ratios = 0;
    int cases = 0;
    for (long seed = 0; seed < 150; seed++) {
      ClusterState state = loaded(new Random(seed));
      JobSpec job = ring("job", 3 + new Random(seed).nextInt(8), 500_000_000L);
      Optional<Placement> placement = placer().place(state, job);
      double optimum = new ExhaustiveCost(state, job).lowest();
      if (placement.isPresent() && optimum > 0) {
        ratios += cost(state, job, placement.get()) / optimum;
        cases++;
      }
    }

    assertThat(cases).isGreaterThan(50);
    assertThat(ratios / cases).isBetween(1 - 1e-9, 1.03);
  }

  private static double cost(ClusterState state, JobSpec job, Placement placement) {
    PhysicalCost.JobCost cost = PhysicalCost.of(state.loads().model(), state.loads()).forJob(job);
    return cost.of(TaskCounts.of(state.topology(), job, placement));
  }

  private static JobSpec ring(String id, int gpus, long bytes) {
    return JobSpec.builder(id)
        .role("worker", gpus, ResourceRequest.ofGpus(1))
        .communication(new Communication.AllReduce(bytes))
        .build();
  }

  /** Returns two racks of four nodes on which scattered jobs load many of the links. */
  private static ClusterState loaded(Random random) {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < RACKS; rack++) {
      builder.domain(
          Domain.of("rack", "r" + rack).withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(40))));
      for (int node = 0; node < NODES_IN_RACK; node++) {
        builder.node(
            Node.builder("r" + rack + "n" + node)
                .domain("r" + rack)
                .gpus(8, GpuModel.of("V100"), Memory.ofGib(16))
                .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
                .nvlink(Bandwidth.ofGigabytesPerSecond(100))
                .build());
      }
    }
    ClusterState state = ClusterState.of(builder.build());
    for (int i = 0; i < 6; i++) {
      JobSpec job = ring("resident-" + i, 1 + random.nextInt(12), 50_000_000L << random.nextInt(4));
      new RandomPlacer(random.nextInt())
          .place(state, job)
          .ifPresent(placement -> state.apply(job, placement));
    }
    return state;
  }
}
