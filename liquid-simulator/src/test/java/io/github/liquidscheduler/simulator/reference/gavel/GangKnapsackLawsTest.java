package io.github.liquidscheduler.simulator.reference.gavel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GangKnapsackLawsTest {

  /** A job and its worth on each of two GPU models. */
  record Item(int gpus, double first, double second) {}

  @Property(tries = 300)
  void nothingIsWorthMoreThanWhatIsChosen(@ForAll("items") List<Item> items) {
    int[] gpus = {3, 4};

    List<SelectedRun> best = GangKnapsack.best(jobs(items), worth(items), gpus);

    assertThat(sum(items, best)).isCloseTo(most(items, 0, 3, 4), within(1e-9));
  }

  @Property(tries = 300)
  void noGpuModelHasMoreGpusThanThereAre(@ForAll("items") List<Item> items) {
    int[] gpus = {3, 40_000};

    List<SelectedRun> best = GangKnapsack.best(jobs(items), worth(items), gpus);

    int used = 0;
    for (SelectedRun each : best) {
      Item item = items.get(each.combination().first().number());
      assertThat(each.model() == 0 ? item.first : item.second).isPositive();
      used += each.model() == 0 ? item.gpus : 0;
    }
    assertThat(used).isLessThanOrEqualTo(3);
    assertThat(best).extracting(SelectedRun::combination).doesNotHaveDuplicates();
  }

  /** Returns the largest sum of worths of the jobs from one on, by trying all ways. */
  private static double most(List<Item> items, int next, int first, int second) {
    if (next == items.size()) {
      return 0;
    }
    Item item = items.get(next);
    double most = most(items, next + 1, first, second);
    if (item.gpus <= first && item.first > 0) {
      most = Math.max(most, item.first + most(items, next + 1, first - item.gpus, second));
    }
    if (item.gpus <= second && item.second > 0) {
      most = Math.max(most, item.second + most(items, next + 1, first, second - item.gpus));
    }
    return most;
  }

  private static double sum(List<Item> items, List<SelectedRun> selected) {
    double sum = 0;
    for (SelectedRun each : selected) {
      Item item = items.get(each.combination().first().number());
      sum += each.model() == 0 ? item.first : item.second;
    }
    return sum;
  }

  private static List<Combination> jobs(List<Item> items) {
    List<Combination> jobs = new ArrayList<>();
    for (Item item : items) {
      jobs.add(TestCombinations.alone(jobs.size(), item.gpus, 1, 1, 1));
    }
    return jobs;
  }

  private static double[][] worth(List<Item> items) {
    return items.stream()
        .map(item -> new double[] {item.first, item.second})
        .toArray(double[][]::new);
  }

  @Provide
  Arbitrary<List<Item>> items() {
    Arbitrary<Double> worth = Arbitraries.doubles().between(0, 3).ofScale(2);
    return Combinators.combine(Arbitraries.of(1, 1, 2, 4), worth, worth)
        .as(Item::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(7);
  }
}
