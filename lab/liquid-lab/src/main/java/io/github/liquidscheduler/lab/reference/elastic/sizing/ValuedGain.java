package io.github.liquidscheduler.lab.reference.elastic.sizing;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;

/**
 * A candidate whose speed-up has a value: one more GPU is worth what it adds, times the value.
 *
 * @param curve the throughput of the job
 * @param bounds the sizes it may have
 * @param value what a unit of speed-up is worth
 */
public record ValuedGain(ThroughputCurve curve, SizeBounds bounds, double value)
    implements GrowthCandidate {

  @Override
  public int next(int gpus) {
    return bounds.next(curve, gpus);
  }

  @Override
  public double gain(int gpus) {
    return value * (gpus == 0 ? curve.efficiency(bounds.least()) : curve.slope(gpus));
  }
}
