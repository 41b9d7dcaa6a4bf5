package io.github.liquidscheduler.simulator.alternatives;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.alternatives.PlacementComparison.Candidate;
import io.github.liquidscheduler.simulator.baseline.SimplePlacers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class PlacementComparisonTest {

  private static final SequencedMap<String, Placer> PLACERS = new LinkedHashMap<>();

  static {
    Placers.names().forEach(name -> PLACERS.put(name, Placers.named(name)));
    for (int seed = 0; seed < 5; seed++) {
      PLACERS.put(
          "random-" + seed, requireNonNull(SimplePlacers.byName().get("random")).apply(seed));
    }
  }

  private static final JobSpec RING =
      JobSpec.builder("ring")
          .gpus(6)
          .communication(new Communication.AllReduce(500_000_000))
          .build();

  private final ClusterState state = ClusterState.of(twoRacks());

  @Test
  void theChosenPlaceIsWhereThePlacerPutsTheJob() {
    PlacementComparison comparison = compare("least-cost");

    assertThat(comparison.chosen().placement())
        .isEqualTo(Placers.leastCost().place(state, RING).orElseThrow());
    assertThat(comparison.chosen().origin()).isEqualTo("least-cost");
  }

  @Test
  void rejectedPlacesAreOthersAndTheCheapestComesFirst() {
    PlacementComparison comparison = compare("least-cost");
    List<Placement> places = comparison.rejected().stream().map(Candidate::placement).toList();

    assertThat(places).hasSizeGreaterThan(3).doesNotHaveDuplicates();
    assertThat(places).doesNotContain(comparison.chosen().placement());
    assertThat(comparison.rejected())
        .extracting(candidate -> candidate.cost().cost())
        .isSorted()
        .allMatch(cost -> cost >= comparison.chosen().cost().cost());
  }

  @Test
  void otherDomainsNodesAndPlacersAreLookedAt() {
    JobSpec pair = JobSpec.builder("pair").gpus(2).build();

    assertThat(PlacementComparison.of(state, pair, "best-fit", PLACERS).orElseThrow().rejected())
        .extracting(Candidate::origin)
        .anyMatch(origin -> origin.contains("without"))
        .anyMatch(origin -> origin.contains("in rack"))
        .anyMatch(PLACERS::containsKey);
  }

  @Test
  void aJobThatFitsNowhereIsNotCompared() {
    JobSpec huge = JobSpec.builder("huge").gpus(99).build();

    assertThat(PlacementComparison.of(state, huge, "best-fit", PLACERS)).isEmpty();
  }

  @Test
  void comparingLeavesTheClusterAsItWas() {
    int free = state.freeGpus();

    compare("least-cost");

    assertThat(state.freeGpus()).isEqualTo(free);
    assertThat(compare("least-cost")).isEqualTo(compare("least-cost"));
  }

  private PlacementComparison compare(String placer) {
    return PlacementComparison.of(state, RING, placer, PLACERS).orElseThrow();
  }

  private static ClusterTopology twoRacks() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 2; rack++) {
      cluster.domain(
          Domain.of("rack", "r" + rack).withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(10))));
      for (int node = 0; node < 3; node++) {
        cluster.node(
            Node.builder("n" + rack + node)
                .domain("r" + rack)
                .gpus(4, GpuModel.of("V100"), Memory.ofGib(16))
                .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
                .nvlink(Bandwidth.ofGigabytesPerSecond(150))
                .build());
      }
    }
    return cluster.build();
  }
}
