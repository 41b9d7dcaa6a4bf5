package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeKnapsackTest {

  private final SizeKnapsack knapsack = new SizeKnapsack(new int[] {1, 2, 4}, 4);

  @Test
  void theLargestSumThatFitsIsChosen() {
    double[][] values = {{3, 4, 6}, {1, 3, 4}, {2, 2.1, 2.2}};

    assertThat(knapsack.best(values)).containsExactly(1, 2, 1);
  }

  @Test
  void aSizeWithoutValueIsNotTaken() {
    assertThat(knapsack.best(new double[][] {{0, 0, 0}, {1, 0, 0}})).containsExactly(0, 1);
  }

  @Test
  void oneJobMayTakeAll() {
    assertThat(knapsack.best(new double[][] {{1, 1, 9}, {1, 1, 1}})).containsExactly(4, 0);
  }
}
