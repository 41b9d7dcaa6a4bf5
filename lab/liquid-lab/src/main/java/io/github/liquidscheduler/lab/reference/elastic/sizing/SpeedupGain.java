package io.github.liquidscheduler.lab.reference.elastic.sizing;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;

/**
 * A candidate that gains speed-up: one more GPU is worth what it adds, and a start is worth the
 * speed-up for each GPU of the least size.
 *
 * @param curve the throughput of the job
 * @param bounds the sizes it may have
 */
public record SpeedupGain(ThroughputCurve curve, SizeBounds bounds) implements GrowthCandidate {

  @Override
  public int next(int gpus) {
    return bounds.next(curve, gpus);
  }

  @Override
  public double gain(int gpus) {
    return gpus == 0 ? curve.efficiency(bounds.least()) : curve.slope(gpus);
  }
}
