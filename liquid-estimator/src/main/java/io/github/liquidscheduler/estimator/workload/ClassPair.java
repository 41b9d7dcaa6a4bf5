package io.github.liquidscheduler.estimator.workload;

import org.jspecify.annotations.Nullable;

/**
 * A class that was slowed down and the class beside it, with what was last worked out of them. All
 * answers about jobs of these classes have the same one, so that it is worked out once for each
 * state of knowledge. Not thread-safe.
 */
public final class ClassPair {

  private final WorkloadClass victim;
  private final WorkloadClass other;
  private double shift;
  private double left;
  private @Nullable Object watched;

  /** Makes a pair of which nothing was worked out. */
  public ClassPair(WorkloadClass victim, WorkloadClass other) {
    this.victim = victim;
    this.other = other;
  }

  /** Returns the class that was slowed down. */
  public WorkloadClass victim() {
    return victim;
  }

  /** Returns the class beside it. */
  public WorkloadClass other() {
    return other;
  }

  /** Returns the correction of the models' answer, in units of the error that they promise. */
  public double shift() {
    return shift;
  }

  /** Returns the error that is left, in these units. */
  public double left() {
    return left;
  }

  /** Returns true if this follows from that state of knowledge. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the same one.
  public boolean isBy(Object state) {
    return watched == state;
  }

  /** Sets what follows from a state of knowledge. */
  public void correct(double shift, double left, Object state) {
    this.shift = shift;
    this.left = left;
    watched = state;
  }
}
