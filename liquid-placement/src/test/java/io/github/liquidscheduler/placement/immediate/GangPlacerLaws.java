package io.github.liquidscheduler.placement.immediate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GangPlacerLaws extends PlacerContract {

  @Override
  Placer placer() {
    return GangPlacer.bestFit();
  }

  @Property(tries = 3000)
  void findsAPlaceForOneRoleExactlyWhenThereIsOne(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    assertThat(placer().place(scenario.state, job).isPresent())
        .isEqualTo(new ExhaustiveFit(scenario.state, job).fits());
  }
}
