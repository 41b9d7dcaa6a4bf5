package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a job, unique among all jobs a scheduler knows.
 *
 * @param value the identity, not blank
 */
public record JobId(String value) implements Comparable<JobId> {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code value} is blank or not Unicode
   */
  public JobId {
    Text.requireName(value, "a job id");
  }

  /** Returns the identity {@code value}. */
  public static JobId of(String value) {
    return new JobId(value);
  }

  /**
   * Checks that no job is named twice.
   *
   * @param where whose names they are, for the message
   * @throws IllegalArgumentException if one is
   */
  public static void requireDistinct(Iterable<JobId> jobs, String where) {
    Set<JobId> seen = new HashSet<>();
    for (JobId job : jobs) {
      if (!seen.add(job)) {
        throw new IllegalArgumentException(
            "each job must be named once, but '%s' was named twice, in %s".formatted(job, where));
      }
    }
  }

  // Written out: ids are compared and hashed at every step of every event.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof JobId that && value.equals(that.value));
  }

  @Override
  public int hashCode() {
    return value.hashCode();
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
