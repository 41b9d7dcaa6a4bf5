package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Twelve random jobs on at most four GPUs as submitted, on one of two curves. */
public final class RandomJobs {

  private static final ThroughputCurve GOOD = ThroughputCurve.of(Map.of(1, 1.0, 2, 1.8, 8, 4.0));
  private static final ThroughputCurve POOR = ThroughputCurve.of(Map.of(1, 2.0, 2, 2.5, 4, 2.4));

  private RandomJobs() {}

  public static ElasticTrace trace(long seed) {
    Random random = new Random(seed);
    List<ElasticJob> jobs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      ThroughputCurve curve = random.nextBoolean() ? GOOD : POOR;
      int size = 1 << random.nextInt(3);
      jobs.add(
          new ElasticJob(
              i,
              random.nextInt(300),
              new ElasticJob.Work("m", curve, 1 + random.nextInt(500)),
              new ElasticJob.Sizes(size, 1, Math.max(size, curve.peak()))));
    }
    return ElasticTrace.of(jobs);
  }
}
