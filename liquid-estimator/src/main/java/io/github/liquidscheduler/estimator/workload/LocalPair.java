package io.github.liquidscheduler.estimator.workload;

import org.jspecify.annotations.Nullable;

/** A class that was slowed down, and the class beside it. */
public record LocalPair(WorkloadClass victim, WorkloadClass other) {

  // These two are asked very often, and by a JVM that has just started too.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LocalPair that
        && victim.equals(that.victim)
        && this.other.equals(that.other);
  }

  @Override
  public int hashCode() {
    return 31 * victim.hashCode() + other.hashCode();
  }
}
