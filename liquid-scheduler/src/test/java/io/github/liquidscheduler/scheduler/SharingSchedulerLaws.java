package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.JobDraft;
import net.jqwik.api.Arbitrary;

/** The scheduler keeps its laws when jobs share GPUs, from some pressure on. */
class SharingSchedulerLaws extends SchedulerLaws {

  @Override
  Placer placer() {
    return Placers.colocating(
        Colocation.builder(new AnyCoRunner())
            .trigger(SharingTrigger.aboveUtilization(0.6))
            .build());
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
