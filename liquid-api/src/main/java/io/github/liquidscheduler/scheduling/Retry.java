package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.NodeId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The outcome of a job's failure: it has ended, or it waits again.
 *
 * @param again whether it waits again; if not, it has ended
 * @param after how long it is not started at least, not negative
 * @param avoiding the nodes on which it is not started any more, each once, in the order of their
 *     ids
 */
public record Retry(boolean again, Duration after, List<NodeId> avoiding) {

  private static final Retry NO = new Retry(false, Duration.ZERO, List.of());
  private static final Retry NOW = new Retry(true, Duration.ZERO, List.of());

  /**
   * Checks and sorts the parts.
   *
   * @throws IllegalArgumentException if the time is negative, or a job that has ended has one or
   *     avoids a node
   */
  public Retry {
    if (after.isNegative()) {
      throw new IllegalArgumentException(
          "the time until a retry must not be negative, but was " + after);
    }
    avoiding = avoiding.stream().distinct().sorted().toList();
    if (!again && !(after.isZero() && avoiding.isEmpty())) {
      throw new IllegalArgumentException(
          "only a job that waits again can wait for a time or avoid nodes, but was to wait %s and avoid %s"
              .formatted(after, avoiding));
    }
  }

  /** Returns that the job has ended. */
  public static Retry no() {
    return NO;
  }

  /** Returns that the job waits again. */
  public static Retry now() {
    return NOW;
  }

  /**
   * Returns that the job waits again, and is not started before a time has passed.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  public static Retry after(Duration time) {
    return new Retry(true, time, List.of());
  }

  /**
   * Returns this retry on other nodes. It avoids them while the cluster could hold it without them,
   * until it is {@linkplain ClusterEvent.JobUpdated updated}.
   *
   * @throws IllegalArgumentException if the job has ended
   */
  public Retry avoiding(NodeId... nodes) {
    return new Retry(again, after, Stream.concat(avoiding.stream(), Arrays.stream(nodes)).toList());
  }
}
