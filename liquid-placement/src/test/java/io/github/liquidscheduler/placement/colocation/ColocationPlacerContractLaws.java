package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.placement.gang.PlacerContract;
import io.github.liquidscheduler.scheduling.Placer;

class ColocationPlacerContractLaws extends PlacerContract {

  @Override
  public Placer placer() {
    return ColocationPlacer.builder(new AnyCoRunner()).onWhen(SharingTrigger.always()).build();
  }
}
