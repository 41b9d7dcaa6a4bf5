package io.github.liquidscheduler.lab.reference.elastic.bound;

import io.github.liquidscheduler.lab.reference.elastic.ElasticRun;
import io.github.liquidscheduler.lab.reference.elastic.FinishedJob;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.text.Count;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * Lower bounds on the average completion time of the jobs of a trace in {@link
 * io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator}, up to the microsecond that it
 * takes for one instant. They hold for every policy, even one that knows the future, and for every
 * scaling cost.
 *
 * <p><i>Alone:</i> from its arrival on, a job takes at least as long as on its fastest size.
 *
 * <p><i>Priced</i> (Lagrangian duality): let a GPU-second cost {@code c(t) >= 0}. No schedule uses
 * more than the G GPUs there are, so what it pays for GPUs is at most {@code G x integral of c}.
 * The sum of completion times is therefore at least the sum over jobs of completion time and
 * payment, less that integral. Each job's part is at least what it would be if the job were alone
 * and chose its sizes freely. For a job of work x, arriving at a and ending at C, that is at least
 * {@code (C - a) + v x - integral from a to C of max over p of (v S(p) - c p)}, for every value
 * {@code v >= 0} of a unit of work, because the job has to do all its work. While c is constant
 * this is linear in C, so that for ends within a cell of constant c only the two ends of the cell
 * count. The bound takes the best v of some for each cell, and then the cheapest cell. Any prices
 * give a bound; good ones are found by raising them where jobs together want more than G GPUs, and
 * lowering them where less.
 *
 * <p>The second bound is tight but for integer sizes, scaling costs and what prices and values are
 * not tried. Costs O(steps x cells x (jobs + curves x values)).
 *
 * @param alone the average by the first bound, in seconds
 * @param priced the average by the second, in seconds
 */
public record CompletionBounds(double alone, double priced) {

  private static final int STEPS = 40;
  private static final double FIRST_PRICE = 0.1;
  private static final double LEAST_PRICE = 1e-5;
  private static final double FIRST_STEP = 0.5;
  private static final double STEP_HALVED_AFTER = 10;

  /**
   * Returns the bounds of a trace.
   *
   * @param guide any run of the same trace. Its GPUs are those of the cluster, and its ends are
   *     where prices may change, so that the bound is better the better the run is
   * @throws IllegalArgumentException if the run is of another number of jobs
   */
  public static CompletionBounds of(ElasticTrace trace, ElasticRun guide) {
    int jobs = trace.jobs().size();
    if (guide.jobs().size() != jobs) {
      throw new IllegalArgumentException(
          "the run must be of the %s of the trace, but has %d"
              .formatted(Count.of(jobs, "job"), guide.jobs().size()));
    }
    double alone = trace.jobs().stream().mapToDouble(job -> fastest(job, guide.gpus())).sum();
    double priced = priced(trace, cells(trace, guide), guide.gpus());
    return new CompletionBounds(alone / jobs, Math.max(alone, priced) / jobs);
  }

  private static double fastest(ElasticJob job, int gpus) {
    ConcaveHull hull = ConcaveHull.of(job.work().curve(), Math.min(gpus, job.sizes().maximum()));
    return work(job) / hull.fastest();
  }

  private static double work(ElasticJob job) {
    return job.work().iterations() / job.work().curve().throughput(1);
  }

  /** Returns cells between arrivals and ends, and one after them that is long enough for all. */
  private static TimeCells cells(ElasticTrace trace, ElasticRun guide) {
    double last = guide.jobs().stream().mapToDouble(FinishedJob::end).max().orElseThrow();
    double allWork = trace.jobs().stream().mapToDouble(CompletionBounds::work).sum();
    DoubleStream arrivals = trace.jobs().stream().mapToDouble(ElasticJob::arrival);
    DoubleStream ends = guide.jobs().stream().mapToDouble(FinishedJob::end);
    return TimeCells.between(
        DoubleStream.concat(
            DoubleStream.concat(arrivals, ends), DoubleStream.of(last + allWork + 1)));
  }

  private static double priced(ElasticTrace trace, TimeCells cells, int gpus) {
    PricedTrace priced = new PricedTrace(trace, gpus, cells);
    double[] prices = new double[cells.count()];
    Arrays.fill(prices, 0, prices.length - 1, FIRST_PRICE);
    double best = 0;
    for (int step = 0; step < STEPS; step++) {
      double[] use = new double[prices.length];
      double highest = Arrays.stream(prices).max().orElseThrow();
      double paid = priced.cost(prices, highest, use);
      best = Math.max(best, paid - gpus * value(prices, cells));
      adjust(prices, use, cells, gpus, FIRST_STEP / (1 + step / STEP_HALVED_AFTER));
    }
    return best;
  }

  /** Returns what one GPU costs throughout. */
  private static double value(double[] prices, TimeCells cells) {
    double value = 0;
    for (int cell = 0; cell < prices.length; cell++) {
      value += prices[cell] * cells.seconds(cell);
    }
    return value;
  }

  /** Changes all prices but the last, which stays 0. */
  private static void adjust(
      double[] prices, double[] use, TimeCells cells, int gpus, double step) {
    for (int cell = 0; cell < prices.length - 1; cell++) {
      double excess = use[cell] / (gpus * cells.seconds(cell)) - 1;
      double factor = Math.exp(step * Math.min(1, excess));
      prices[cell] = Math.max(LEAST_PRICE, prices[cell] * factor);
    }
  }
}
