package io.github.liquidscheduler.lab.rounds.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import io.github.liquidscheduler.simulator.rounds.NamedRoundAlgorithm;
import io.github.liquidscheduler.simulator.rounds.RoundSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundComparisonTest {

  @Test
  void theJobsAreThoseOfTheGoldenNumbers() {
    RoundExperiment small = RoundExperiment.likeHare().get(1);

    assertThat(small.problem(2)).isEqualTo(GeneratedRounds.problem(15838, 40, 20));
  }

  @Test
  void theLargeFleetHasTheSameParts() {
    assertThat(RoundExperiment.likeHare())
        .extracting(experiment -> experiment.fleet().size())
        .containsExactly(15, 15, 15, 160, 160);
  }

  @Test
  void ratiosArePairedByRepetition() {
    RoundComparison comparison =
        new RoundComparison(
            Map.of(
                NamedRoundAlgorithm.WSPT,
                new double[] {10, 20, 30},
                NamedRoundAlgorithm.HOMO,
                new double[] {20, 40, 90}),
            List.of(5.0, 8.0, 10.0));

    MeanInterval times = comparison.times(NamedRoundAlgorithm.HOMO, NamedRoundAlgorithm.WSPT);

    assertThat(comparison.mean(NamedRoundAlgorithm.HOMO)).isEqualTo(50);
    assertThat(times.mean()).isEqualTo(7 / 3.0, within(1e-12));
    assertThat(times.halfWidth()).isEqualTo(4.302653 / 3, within(1e-5));
    assertThat(comparison.timesBound(NamedRoundAlgorithm.WSPT).mean()).isEqualTo(2.5);
  }

  @Test
  void everyAlgorithmRunsOnEveryRepetition() {
    RoundComparison comparison =
        RoundComparison.run(
            RoundExperiment.likeHare().getFirst(),
            List.of(NamedRoundAlgorithm.FLUID, NamedRoundAlgorithm.GANG_FIFO),
            RoundSettings.DEFAULTS,
            3);

    assertThat(comparison.jct().values()).allMatch(averages -> averages.length == 3);
    assertThat(comparison.times(NamedRoundAlgorithm.GANG_FIFO, NamedRoundAlgorithm.FLUID).mean())
        .isGreaterThan(1.5);
    assertThat(comparison.timesBound(NamedRoundAlgorithm.FLUID).mean()).isBetween(1.0, 1.3);
  }
}
