package io.github.liquidscheduler.job;

import java.util.Objects;

/**
 * The identity of a job, unique among all jobs a scheduler knows.
 *
 * @param value the identity, not blank
 */
public record JobId(String value) implements Comparable<JobId> {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code value} is blank
   */
  public JobId {
    Objects.requireNonNull(value, "value");
    if (value.isBlank()) {
      throw new IllegalArgumentException("a job id must not be blank");
    }
  }

  /** Returns the identity {@code value}. */
  public static JobId of(String value) {
    return new JobId(value);
  }

  @Override
  public int compareTo(JobId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
