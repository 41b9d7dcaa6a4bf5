package io.github.liquidscheduler.lab.reference.pollux.goodput;

import io.github.liquidscheduler.lab.reference.pollux.application.BatchLimits;
import io.github.liquidscheduler.lab.reference.pollux.application.GradientNoise;
import io.github.liquidscheduler.lab.reference.pollux.application.LocalBatch;

/**
 * The goodput of a job, and the batch size that makes it largest.
 *
 * @param steps how long steps take
 * @param noise what a step is worth
 * @param limits the batch sizes to choose from
 */
record GoodputModel(StepTimeModel steps, GradientNoise noise, BatchLimits limits) {

  /** As many batch sizes are compared, each larger than the last by the same factor. */
  private static final int CANDIDATES = 50;

  BatchChoice best(int nodes, int gpus) {
    int least = Math.max(limits.initial(), limits.smallestLocal() * gpus);
    double factor = Math.pow((double) limits.largest() / least, 1.0 / (CANDIDATES - 1));
    BatchChoice best = new BatchChoice(0, limits.divided(least, gpus));
    double batch = least;
    for (int i = 0; i < CANDIDATES; i++, batch *= factor) {
      LocalBatch local = divided(batch / gpus, gpus);
      double goodput = isWithinLimits(local) ? goodput(nodes, gpus, local) : 0;
      best = goodput > best.goodput() ? new BatchChoice(goodput, local) : best;
    }
    return best;
  }

  double goodput(int nodes, int gpus, LocalBatch local) {
    double seconds =
        steps.step(nodes, gpus, local.size())
            + local.accumulations() * steps.computing(local.size());
    return noise.gain((double) local.total(gpus) / limits.initial()) / seconds;
  }

  private LocalBatch divided(double local, int gpus) {
    int accumulations = BatchLimits.roundedUp(local / limits.largestLocal()) - 1;
    if (gpus == 1 && BatchLimits.roundedUp(local) > limits.initial()) {
      accumulations = Math.max(1, accumulations);
    }
    int size = BatchLimits.roundedUp(local / (accumulations + 1));
    int most = limits.largest() / (gpus * (accumulations + 1));
    return new LocalBatch(Math.min(size, most), accumulations);
  }

  private boolean isWithinLimits(LocalBatch local) {
    return local.size() >= limits.smallestLocal() && local.size() <= limits.largestLocal();
  }
}
