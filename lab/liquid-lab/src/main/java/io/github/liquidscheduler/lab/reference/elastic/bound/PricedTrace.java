package io.github.liquidscheduler.lab.reference.elastic.bound;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The jobs of a trace, each of which chooses its sizes at given prices. Mutable. */
final class PricedTrace {

  private final TimeCells cells;
  private final IdentityHashMap<ThroughputCurve, Map<Integer, WorkValues>> values =
      new IdentityHashMap<>();
  private final List<Job> jobs = new ArrayList<>();

  /** A job: its curve, its work in seconds on one GPU, and the cell with whose start it arrives. */
  private record Job(WorkValues values, double work, double leastSeconds, int first) {}

  PricedTrace(ElasticTrace trace, int gpus, TimeCells cells) {
    this.cells = cells;
    for (ElasticJob job : trace.jobs()) {
      jobs.add(job(job, Math.min(gpus, job.sizes().maximum())));
    }
  }

  /**
   * Returns a lower bound on what all jobs together pay.
   *
   * @param prices the price of a GPU-second by cell
   * @param highest the highest of them
   * @param use where the GPU-seconds that they use are added, by cell
   */
  double cost(double[] prices, double highest, double[] use) {
    values.values().forEach(each -> each.values().forEach(one -> one.update(prices, highest)));
    double total = 0;
    for (Job job : jobs) {
      total += cost(job, use);
    }
    return total;
  }

  private double cost(Job job, double[] use) {
    double least = Double.POSITIVE_INFINITY;
    int bestCell = job.first();
    int bestLevel = 0;
    for (int cell = job.first(); cell < cells.count() && waited(job, cell) < least; cell++) {
      if (cells.end(cell) - cells.start(job.first()) >= job.leastSeconds()) {
        int level = job.values().highestCost(job.work(), job.first(), cell);
        double cost = job.values().cost(level, job.work(), job.first(), cell);
        bestCell = cost < least ? cell : bestCell;
        bestLevel = cost < least ? level : bestLevel;
        least = Math.min(least, cost);
      }
    }
    job.values().addUse(use, bestLevel, job.work(), job.first(), bestCell);
    return Math.max(least, job.leastSeconds());
  }

  private double waited(Job job, int cell) {
    return cells.start(cell) - cells.start(job.first());
  }

  private Job job(ElasticJob job, int most) {
    ThroughputCurve curve = job.work().curve();
    double work = job.work().iterations() / curve.throughput(1);
    ConcaveHull hull = ConcaveHull.of(curve, most);
    WorkValues own =
        values
            .computeIfAbsent(curve, same -> new TreeMap<>())
            .computeIfAbsent(hull.gpus(hull.corners() - 1), same -> new WorkValues(hull, cells));
    return new Job(own, work, work / hull.fastest(), cells.startingAt((double) job.arrival()));
  }
}
