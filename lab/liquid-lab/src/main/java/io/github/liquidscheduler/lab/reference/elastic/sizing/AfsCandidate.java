package io.github.liquidscheduler.lab.reference.elastic.sizing;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;

/**
 * A job in the comparison of AFS-L (Hwang et al., NSDI 2021), which knows how long jobs are: the
 * shorter of two jobs gets the next GPU, unless the longer one gains so much more from it that both
 * are better off on average.
 *
 * @param curve the throughput of the job
 * @param seconds the remaining time on one GPU
 * @param gpus the size so far
 */
public record AfsCandidate(ThroughputCurve curve, double seconds, int gpus) {

  /** Returns the same job with one more GPU. */
  public AfsCandidate grown() {
    return new AfsCandidate(curve, seconds, gpus + 1);
  }

  /** Returns what one more GPU adds to the speed-up. */
  public double gain() {
    return gpus == 0 ? 1 : curve.slope(gpus);
  }

  /** Returns whether the next GPU is better given to {@code other} than to this job. */
  public boolean yieldsTo(AfsCandidate other) {
    if (gpus == 0 && other.gpus == 0) {
      return other.seconds < seconds;
    }
    boolean otherIsShorter = other.length() < length();
    AfsCandidate shorter = otherIsShorter ? other : this;
    AfsCandidate longer = otherIsShorter ? this : other;
    boolean longerWins =
        longer.gain() / longer.curve.speedup(longer.gpus + 1)
            > shorter.gain() / shorter.curve.speedup(shorter.gpus);
    return longerWins != otherIsShorter;
  }

  private double length() {
    return gpus == 0 ? Double.POSITIVE_INFINITY : seconds / curve.speedup(gpus);
  }
}
