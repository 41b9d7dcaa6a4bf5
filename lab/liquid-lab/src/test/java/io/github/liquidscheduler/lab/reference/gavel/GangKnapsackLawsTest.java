package io.github.liquidscheduler.lab.reference.gavel;

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
    GangKnapsack best = GangKnapsack.solve(offers(items), new int[] {3, 4});

    assertThat(best.worth()).isCloseTo(most(items, 0, 3, 4), within(1e-9));
    assertThat(sum(items, best.runs())).isCloseTo(best.worth(), within(1e-9));
  }

  @Property(tries = 300)
  void thePriceOfAGpuIsWhatItAdds(@ForAll("items") List<Item> items) {
    GangKnapsack best = GangKnapsack.solve(offers(items), new int[] {3, 4});

    assertThat(best.price(0)).isCloseTo(most(items, 0, 3, 4) - most(items, 0, 2, 4), within(1e-9));
  }

  @Property(tries = 300)
  void theRelaxationHasNoMoreGpusThanThereAreAndIsWorthNoMore(@ForAll("items") List<Item> items) {
    List<Combination> jobs = jobs(items);

    List<SelectedRun> rounded = RelaxedKnapsack.best(jobs, worth(items), new int[] {3, 4});

    assertThat(used(rounded, 0)).isLessThanOrEqualTo(3);
    assertThat(used(rounded, 1)).isLessThanOrEqualTo(4);
    assertThat(rounded).extracting(SelectedRun::combination).doesNotHaveDuplicates();
    assertThat(sum(items, rounded)).isBetween(0.0, most(items, 0, 3, 4) + 1e-9);
  }

  private static int used(List<SelectedRun> runs, int model) {
    return runs.stream()
        .filter(run -> run.model() == model)
        .mapToInt(run -> run.combination().gpus())
        .sum();
  }

  private static List<List<GangKnapsack.Offer>> offers(List<Item> items) {
    List<Combination> jobs = jobs(items);
    List<List<GangKnapsack.Offer>> offers = new ArrayList<>();
    for (Combination job : jobs) {
      double[] worth = worth(items)[offers.size()];
      List<GangKnapsack.Offer> ofJob = new ArrayList<>();
      for (int model = 0; model < worth.length; model++) {
        if (worth[model] > 0) {
          ofJob.add(new GangKnapsack.Offer(List.of(new SelectedRun(job, model)), worth[model], 2));
        }
      }
      offers.add(ofJob);
    }
    return offers;
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
