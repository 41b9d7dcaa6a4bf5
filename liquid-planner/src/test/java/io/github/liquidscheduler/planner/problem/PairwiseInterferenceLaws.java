package io.github.liquidscheduler.planner.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PairwiseInterferenceLaws {

  @Property(tries = 300)
  void productsOfIntensitiesAreNeverAboveThePrice(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    long[][] price = price(choices.random());
    long[] intensity = new PairwiseInterference(price, 1).intensities();

    for (int one = 0; one < price.length; one++) {
      for (int other = 0; other < price.length; other++) {
        assertThat(intensity[one] * intensity[other]).isLessThanOrEqualTo(price[one][other]);
      }
    }
  }

  @Property(tries = 300)
  void theRateIsTheSumOverAllThatAreThere(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    long[][] price = price(random);
    PairwiseInterference interference = new PairwiseInterference(price, 1);
    int[] there = new int[price.length];
    for (int change = 0; change < 40; change++) {
      int kind = random.nextInt(price.length);
      int tasks = there[kind] > 0 && random.nextBoolean() ? -there[kind] : 1 + random.nextInt(3);
      there[kind] += tasks;
      interference.add(kind, 0, tasks);
    }

    for (int kind = 0; kind < price.length; kind++) {
      long sum = 0;
      for (int other = 0; other < price.length; other++) {
        sum += price[kind][other] * there[other];
      }
      assertThat(interference.marginalCost(kind, 0)).isEqualTo(sum);
    }
  }

  private static long[][] price(Random random) {
    int kinds = 1 + random.nextInt(7);
    long[][] price = new long[kinds][kinds];
    for (int one = 0; one < kinds; one++) {
      for (int other = one; other < kinds; other++) {
        price[one][other] = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextLong(1L << 40);
        price[other][one] = price[one][other];
      }
    }
    return price;
  }
}
