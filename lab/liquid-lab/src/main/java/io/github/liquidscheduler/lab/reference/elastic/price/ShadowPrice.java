package io.github.liquidscheduler.lab.reference.elastic.price;

import io.github.liquidscheduler.lab.reference.elastic.ElasticJobState;
import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.JobOrder;
import io.github.liquidscheduler.lab.reference.elastic.SortedOrder;
import io.github.liquidscheduler.lab.reference.elastic.sizing.GainSpread;
import io.github.liquidscheduler.lab.reference.elastic.sizing.ValuedGain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Every GPU goes to the job for which it saves most, in seconds of completion time of all jobs.
 *
 * <p>The idea: suppose that GPUs had prices that change with time. A job that pays them, and 1 for
 * each second until it ends, chooses its sizes alone. If prices are such that all GPUs are wanted
 * and no more, these choices minimise the sum of completion times. A unit of a job's work is then
 * worth what the last unit costs: {@code min over p of (1 + price x p) / S(p)}, at the price when
 * the job ends.
 *
 * <p>Prices to come are not known. The present price is the one at which the jobs in the system
 * want as many GPUs as there are. If no job came any more, the price when a job ends would be that
 * at which the jobs that outlast it want as many. Since others do come, the price at the end is
 * estimated from both. Which jobs outlast a job follows from the remaining work, if it is known;
 * else from the work done, as if each job had as much before it as behind it (true of Pareto
 * distributions with a mean of twice the least value).
 *
 * <p>There are no queues and no settings, and jobs start as long as there is a GPU for each. Costs
 * O(n x prices) for n jobs.
 */
public final class ShadowPrice implements ElasticPolicy {

  private final String name;
  private final ToDoubleFunction<ElasticJobState> iterationsLeft;
  private final PriceAtEnd priceAtEnd;

  private ShadowPrice(
      String name, ToDoubleFunction<ElasticJobState> iterationsLeft, PriceAtEnd priceAtEnd) {
    this.name = name;
    this.iterationsLeft = iterationsLeft;
    this.priceAtEnd = priceAtEnd;
  }

  /** Returns the policy that knows what jobs have done, and not what remains. */
  public static ShadowPrice unknownDurations() {
    return new ShadowPrice(
        "shadow-price",
        job -> job.job().work().iterations() - job.left(),
        PriceAtEnd.weighted(0.15));
  }

  /** Returns the policy that knows the remaining work of each job. */
  public static ShadowPrice knownDurations() {
    return new ShadowPrice("shadow-price-known", ElasticJobState::left, PriceAtEnd.weighted(0.25));
  }

  /**
   * Returns the policy that also knows to what prices go back in the long run, where the load does
   * not vary.
   */
  public static ShadowPrice steadyLoad() {
    return new ShadowPrice("shadow-price-steady", ElasticJobState::left, PriceAtEnd.FITTED);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public JobOrder newOrder() {
    return SortedOrder.byArrival();
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    List<PricedJob> priced = jobs.stream().map(PricedJob::of).toList();
    double[] values = values(jobs, priced, gpus);
    List<ValuedGain> candidates = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      candidates.add(new ValuedGain(priced.get(i).curve(), priced.get(i).bounds(), values[i]));
    }
    int[] sizes = new int[values.length];
    GainSpread.spread(candidates, sizes, gpus, 0);
    return sizes;
  }

  /** Returns what a unit of work of each job is worth. */
  private double[] values(List<ElasticJobState> jobs, List<PricedJob> priced, int gpus) {
    Demand all = new Demand();
    priced.forEach(all::add);
    double present = all.clearingPrice(gpus);
    Demand outlasting = new Demand();
    double[] values = new double[priced.size()];
    double[] seconds = seconds(jobs, priced, present);
    for (int i : longestFirst(seconds)) {
      outlasting.add(priced.get(i));
      double atEnd = priceAtEnd.of(present, outlasting.clearingPrice(gpus), seconds[i]);
      values[i] = priced.get(i).cost(atEnd);
    }
    return values;
  }

  /** Returns the time that each job needs at the present price. */
  private double[] seconds(List<ElasticJobState> jobs, List<PricedJob> priced, double price) {
    double[] seconds = new double[priced.size()];
    for (int i = 0; i < seconds.length; i++) {
      int size = priced.get(i).size(price);
      seconds[i] =
          iterationsLeft.applyAsDouble(jobs.get(i)) / priced.get(i).curve().throughput(size);
    }
    return seconds;
  }

  /** Returns the indices of the jobs by the time they need. */
  private static int[] longestFirst(double[] seconds) {
    return IntStream.range(0, seconds.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> seconds[i]).reversed())
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
