package io.github.liquidscheduler.lab.published.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadProfileTest {

  private static final List<Double> EVEN = Collections.nCopies(24, 1.0);

  @Test
  void whatIsOfferedComesWhenTheProfileSays() {
    LoadProfile profile = new LoadProfile(List.of(1.0, 0.0, 0.5), EVEN);

    assertThat(profile.seconds()).isEqualTo(1.5 * 86_400);
    assertThat(profile.at(3600)).isEqualTo(3600);
    assertThat(profile.at(86_400)).isEqualTo(86_400);
    assertThat(profile.at(86_400 + 1800)).isEqualTo(2 * 86_400 + 3600);
    assertThat(profile.at(200_000)).isEqualTo(3 * 86_400);
  }

  @Test
  void twoWeeksAreBusyByDayAndEmptyOnTheTwelfthDay() {
    ElasticTrace trace =
        new ElasticWorkload(
                ElasticTraces.curves(),
                DurationQuantiles.philly(24),
                1,
                64,
                1,
                SizeMix.UNIFORM,
                LoadProfile.TWO_WEEKS)
            .trace(0);

    double[] byDay = new double[15];
    double day = 0;
    double all = 0;
    for (ElasticJob job : trace.jobs()) {
      byDay[(int) (job.arrival() / 86_400)]++;
      long hour = job.arrival() / 3600 % 24;
      day += hour >= 9 && hour < 19 ? 1 : 0;
      all++;
    }
    assertThat(trace.jobs()).hasSizeGreaterThan(1000);
    assertThat(byDay[11]).isLessThan(2);
    assertThat(byDay[9]).isLessThan(byDay[0] / 3);
    assertThat(day / all).isCloseTo(10 / 24.0 * 10 / 7, within(.04));
  }

  @Test
  void aProfileWithoutAnyLoadIsRefused() {
    assertThatThrownBy(() -> new LoadProfile(List.of(0.0), EVEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have a day with load");
    assertThatThrownBy(() -> LoadProfile.named("week"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be constant or two-weeks, but was 'week'");
  }
}
