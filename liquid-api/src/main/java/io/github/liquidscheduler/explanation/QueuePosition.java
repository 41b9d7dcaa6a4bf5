package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.job.JobId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The position of a waiting job in the queue, and the expected time of its turn.
 *
 * @param ahead how many waiting jobs stand before it
 * @param next the first of those, in the order of their turns; some at least if there are any
 * @param expectedStart when it is expected to start, if that can be told
 */
public record QueuePosition(int ahead, List<JobId> next, Optional<StartEstimate> expectedStart) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if more jobs are named than stand before the job, or none of
   *     them is
   */
  public QueuePosition {
    next = List.copyOf(next);
    Objects.requireNonNull(expectedStart, "expectedStart");
    if (next.size() > ahead || next.isEmpty() != (ahead == 0)) {
      throw new IllegalArgumentException(
          "of the jobs ahead some must be named, but of %d were named %s".formatted(ahead, next));
    }
  }

  /** Returns the position as a sentence for people, without a full stop. */
  public String describe() {
    String position =
        ahead == 0 ? "first in the queue" : "position " + (ahead + 1L) + " in the queue, behind ";
    return position
        + named()
        + expectedStart.map(estimate -> "; " + estimate.describe()).orElse("");
  }

  private String named() {
    String names = next.stream().map(job -> "'" + job + "'").collect(Collectors.joining(", "));
    return ahead > next.size() ? names + " and " + (ahead - next.size()) + " more" : names;
  }
}
