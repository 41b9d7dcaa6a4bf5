package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacementScenario;
import io.github.liquidscheduler.testkit.PlacerContract;
import io.github.liquidscheduler.testkit.PlainCluster;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BestFitPlacerLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return BestFitPlacer.bestFit();
  }

  @Override
  protected ClusterView shown(PlainCluster cluster) {
    return ClusterState.copyOf(cluster);
  }

  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void aJobOfOneRoleIsPlacedExactlyWhenItFits(@ForAll("scenarios") PlacementScenario scenario) {
    ClusterState state = ClusterState.copyOf(scenario.cluster());

    assertThat(placer().place(state, scenario.job()).isPresent())
        .isEqualTo(new ExhaustiveFit(scenario.cluster(), scenario.job()).fits());
  }
}
