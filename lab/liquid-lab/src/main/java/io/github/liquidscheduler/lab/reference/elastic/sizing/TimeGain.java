package io.github.liquidscheduler.lab.reference.elastic.sizing;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;

/**
 * A candidate that gains remaining time, as in Optimus (Peng et al., EuroSys 2018): one more GPU is
 * worth the seconds by which the job ends earlier, and a start is worth more than any growth.
 *
 * @param curve the throughput of the job
 * @param bounds the sizes it may have
 * @param iterationsLeft the remaining work
 */
public record TimeGain(ThroughputCurve curve, SizeBounds bounds, double iterationsLeft)
    implements GrowthCandidate {

  @Override
  public int next(int gpus) {
    return bounds.next(curve, gpus);
  }

  @Override
  public double gain(int gpus) {
    return gpus == 0
        ? Double.POSITIVE_INFINITY
        : iterationsLeft / curve.throughput(gpus) - iterationsLeft / curve.throughput(gpus + 1);
  }
}
