package io.github.liquidscheduler.placement.colocation.search;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacerContract;
import io.github.liquidscheduler.testkit.PlainCluster;

class ColocationPlacerContractLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return new ColocationPlacer(
        Colocation.builder(new AnyCoRunner()).trigger(SharingTrigger.always()).build());
  }

  @Override
  protected ClusterView shown(PlainCluster cluster) {
    return ClusterState.copyOf(cluster);
  }
}
