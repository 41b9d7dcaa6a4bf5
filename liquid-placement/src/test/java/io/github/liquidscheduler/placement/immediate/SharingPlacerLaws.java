package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.placement.sharing.SharingPlacer;
import io.github.liquidscheduler.placement.sharing.SharingRules;
import io.github.liquidscheduler.placement.sharing.SharingSwitch;
import io.github.liquidscheduler.scheduling.Placer;

class SharingPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return SharingPlacer.builder(SharingRules.firstFit()).onWhen(SharingSwitch.always()).build();
  }
}
