package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlacerContract;
import io.github.liquidscheduler.testkit.PlainCluster;

class ColocationPlacerContractLaws extends PlacerContract {

  @Override
  protected Placer placer() {
    return ColocationPlacer.builder(new AnyCoRunner()).onWhen(SharingTrigger.always()).build();
  }

  @Override
  protected ClusterView shown(PlainCluster cluster) {
    return ClusterState.copyOf(cluster);
  }
}
