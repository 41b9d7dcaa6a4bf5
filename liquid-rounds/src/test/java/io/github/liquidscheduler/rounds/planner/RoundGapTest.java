package io.github.liquidscheduler.rounds.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How far plans are from the best, on average; {@link RoundGaps} measures it at length. */
class RoundGapTest {

  private static final RoundPlanner PLANNER =
      new RoundPlanner(TaskOrder.byFluid(), GpuChoice.LEAST_DELAY);

  private static double meanGap(RoundAlgorithm algorithm) {
    return LongStream.range(0, 400)
        .mapToObj(SmallRounds::problem)
        .mapToDouble(
            problem ->
                algorithm.plan(problem).weightedEnd(problem)
                        / ExhaustiveRounds.leastWeightedEnd(problem)
                    - 1)
        .average()
        .orElseThrow();
  }

  @Test
  void theFirstGapIsWithinThreePercentOfTheBest() {
    assertThat(meanGap(new RoundPlanner(TaskOrder.byFluid(), GpuChoice.FIRST_GAP)))
        .isBetween(0.0, 0.03);
  }

  @Test
  void leastDelayIsWithinOneAndAHalfPercentOfTheBest() {
    assertThat(meanGap(PLANNER)).isBetween(0.0, 0.015);
  }

  @Test
  void theDefaultIsWithinHalfAPercentOfTheBest() {
    assertThat(meanGap(new LocalSearch(PLANNER, OptionalInt.empty(), 1))).isBetween(0.0, 0.005);
  }
}
