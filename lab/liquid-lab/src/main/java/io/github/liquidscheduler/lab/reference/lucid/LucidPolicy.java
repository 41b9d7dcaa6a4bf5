package io.github.liquidscheduler.lab.reference.lucid;

import io.github.liquidscheduler.formats.input.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Who goes first in the simulator of Lucid. */
public enum LucidPolicy {
  /** In the order of submission; nobody bypasses the first that cannot be placed. */
  FIFO {
    @Override
    List<LucidJob> order(List<LucidJob> queue, List<LucidJob> running) {
      return sorted(queue, Comparator.comparingLong(LucidJob::submit));
    }
  },

  /** The shortest first; nobody bypasses the first that cannot be placed. */
  SJF {
    @Override
    List<LucidJob> order(List<LucidJob> queue, List<LucidJob> running) {
      return sorted(queue, Comparator.comparingLong(LucidJob::duration));
    }
  },

  /** The shortest remaining time first, every second; waiting jobs before running ones. */
  SRTF {
    @Override
    List<LucidJob> order(List<LucidJob> queue, List<LucidJob> running) {
      return sorted(joined(queue, running), Comparator.comparingLong(LucidJob::remaining));
    }

    @Override
    long interval() {
      return 1;
    }
  },

  /**
   * Jobs that have had at most 18,000 GPU-seconds first, then by submission, once a minute; running
   * jobs before waiting ones.
   */
  TIRESIAS {
    @Override
    List<LucidJob> order(List<LucidJob> queue, List<LucidJob> running) {
      return sorted(
          joined(running, queue),
          Comparator.comparing((LucidJob job) -> job.service() > SERVICE_OF_FIRST_QUEUE)
              .thenComparingLong(LucidJob::submit));
    }

    @Override
    long interval() {
      return 60;
    }
  };

  /** The interval of policies that decide whenever a job comes or ends, and never pre-empt. */
  static final long NONE = 0;

  private static final long SERVICE_OF_FIRST_QUEUE = 18_000;

  /**
   * Returns the policy called {@code name}, such as {@code srtf}.
   *
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  public static LucidPolicy named(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.policyName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a policy of Lucid's simulator must be one of %s, but was %s"
                        .formatted(String.join(", ", names()), Quoted.of(name))));
  }

  /** Returns the names of all policies. */
  public static List<String> names() {
    return Arrays.stream(values()).map(LucidPolicy::policyName).toList();
  }

  /** Returns the name, such as {@code srtf}. */
  public String policyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns who goes first: of those who wait, or of all if the policy pre-empts. */
  abstract List<LucidJob> order(List<LucidJob> queue, List<LucidJob> running);

  /** Returns at which multiples of seconds it decides; {@link #NONE} if whenever that matters. */
  long interval() {
    return NONE;
  }

  /** Returns whether it stops running jobs. */
  boolean preempts() {
    return interval() != NONE;
  }

  private static List<LucidJob> joined(List<LucidJob> first, List<LucidJob> second) {
    List<LucidJob> joined = new ArrayList<>(first);
    joined.addAll(second);
    return joined;
  }

  private static List<LucidJob> sorted(List<LucidJob> jobs, Comparator<LucidJob> order) {
    return jobs.stream().sorted(order).toList();
  }
}
