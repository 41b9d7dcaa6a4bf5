package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BestFitPlacerLaws extends PlacerContract {

  @Override
  public Placer placer() {
    return BestFitPlacer.bestFit();
  }

  @Property(tries = 3000)
  void findsAPlaceForOneRoleExactlyWhenThereIsOne(@ForAll long seed) {
    Scenario scenario = new Scenario(seed);
    JobSpec job = scenario.job("job");

    assertThat(placer().place(scenario.state, job).isPresent())
        .isEqualTo(new ExhaustiveFit(scenario.state, job).fits());
  }
}
