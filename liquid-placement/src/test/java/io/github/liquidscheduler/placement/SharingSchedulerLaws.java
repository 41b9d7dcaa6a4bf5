package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.placement.sharing.SharingPlacer;
import io.github.liquidscheduler.placement.sharing.SharingRules;
import io.github.liquidscheduler.placement.sharing.SharingSwitch;
import io.github.liquidscheduler.scheduling.Placer;
import net.jqwik.api.Arbitrary;

/** The scheduler keeps its laws when jobs share GPUs, from some pressure on. */
class SharingSchedulerLaws extends SchedulerLaws {

  @Override
  Placer placer() {
    return SharingPlacer.builder(SharingRules.firstFit())
        .onWhen(SharingSwitch.fromPressure(0.6))
        .build();
  }

  @Override
  Arbitrary<JobDraft> jobs() {
    return JobDraft.thatMayShare();
  }

  @Override
  Arbitrary<JobDraft> jobsPlacedExactly() {
    return JobDraft.thatMayShare();
  }
}
