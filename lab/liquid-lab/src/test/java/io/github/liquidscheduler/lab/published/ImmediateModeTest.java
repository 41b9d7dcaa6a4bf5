package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.published.ImmediateMode.Achieved;
import io.github.liquidscheduler.lab.published.ImmediateMode.Times;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The claims of lab/liquid-lab/docs/reproduction.md. */
class ImmediateModeTest {

  private static final int JOBS = 200;
  private static final int SEEDS = 10;

  @Test
  void onALoadedClusterWeSaveAtLeastWhatLiquidPublished() {
    List<Achieved> achieved = ImmediateMode.loaded(LiquidCluster.K80, 0.7, JOBS, SEEDS).run();

    assertThat(saving(achieved, "least-allocated")).isGreaterThan(0.19);
    assertThat(saving(achieved, "even-spread")).isGreaterThan(0.32);
    assertThat(saving(achieved, "buddy-cells")).isGreaterThan(0.20);
    assertThat(saving(achieved, "random")).isGreaterThan(0.18);
  }

  @Test
  void noPlacerIsBetterAtAnyLoad() {
    for (double load : List.of(0.3, 0.9)) {
      List<Achieved> achieved = ImmediateMode.loaded(LiquidCluster.K80, load, JOBS, 3).run();
      for (Achieved other : achieved) {
        assertThat(ours(achieved).savingOver(other, Times::completion).mean())
            .as("saving over %s at %s", other.subject().placer(), load)
            .isNotNegative();
      }
    }
  }

  @Test
  void aloneOnFourGpuNodesWeSaveOnlyTheWayBetweenNodes() {
    List<Achieved> achieved = ImmediateMode.alone(LiquidCluster.K80, 3).run();

    assertThat(saving(achieved, "least-allocated")).isCloseTo(0.136, within(0.001));
    assertThat(saving(achieved, "buddy-cells")).isZero();
  }

  @Test
  void aloneOnTwoGpuNodesHivedPutsWorkersTogetherAndWeSaveAFifthAsPublished() {
    List<Achieved> achieved = ImmediateMode.alone(LiquidCluster.T4, 3).run();

    assertThat(saving(achieved, "buddy-cells")).isCloseTo(0.201, within(0.001));
    assertThat(saving(achieved, "least-allocated")).isCloseTo(0.021, within(0.001));
  }

  @Test
  void ourPlacementAndLiquidsOwnAreTheSameHere() {
    List<Achieved> achieved = ImmediateMode.loaded(LiquidCluster.K80, 0.7, 50, 2).run();

    assertThat(saving(achieved, "liquid")).isZero();
  }

  @Test
  void theSameExperimentGivesTheSameFigures() {
    ImmediateMode experiment = ImmediateMode.loaded(LiquidCluster.T4, 0.5, 30, 2);

    assertThat(experiment.run()).isEqualTo(experiment.run());
  }

  @Test
  void experimentsThatTellNothingAreRefused() {
    assertThatThrownBy(() -> ImmediateMode.loaded(LiquidCluster.K80, 1, 100, 1))
        .hasMessage("a load must be more than 0 and below 1, but was 1.0");
    assertThatThrownBy(() -> ImmediateMode.loaded(LiquidCluster.K80, 0.5, 3, 1))
        .hasMessageContaining("jobs must be from 20");
    assertThatThrownBy(() -> ImmediateMode.alone(LiquidCluster.K80, 0))
        .hasMessage("seeds must be at least 1, but were 0");
  }

  @Test
  void thePublishedSavingsAreThoseOfThePaper() {
    assertThat(Figure18.saving("Kubernetes")).isCloseTo(0.19, within(0.005));
    assertThat(Figure18.saving("even")).isCloseTo(0.32, within(0.005));
    assertThat(Figure18.saving("HiveD")).isCloseTo(0.20, within(0.005));
  }

  @Test
  void thePhysicalCostOrdersPlacementsAsTheirTimesDo() {
    for (PlacementSensitivity.Row row : PlacementSensitivity.run(1)) {
      assertThat(row.simulated().mean()).isBetween(0.95 * row.published(), row.published());
    }
    List<Double> vgg =
        PlacementSensitivity.run(1).stream()
            .filter(row -> row.model().equals(PlacementTimes.models().get(0)))
            .limit(4)
            .map(PlacementSensitivity.Row::cost)
            .toList();
    assertThat(vgg).isSorted().doesNotHaveDuplicates();
  }

  private static double saving(List<Achieved> achieved, String placer) {
    Achieved other =
        achieved.stream()
            .filter(row -> row.subject().placer().equals(placer))
            .findFirst()
            .orElseThrow();
    return ours(achieved).savingOver(other, Times::completion).mean();
  }

  private static Achieved ours(List<Achieved> achieved) {
    return achieved.get(0);
  }
}
