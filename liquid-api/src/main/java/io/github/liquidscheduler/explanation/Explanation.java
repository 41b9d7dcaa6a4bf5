package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Why a job waits, at one instant, and what would let it run.
 *
 * @param queue where it stands in the queue
 * @param unmetConstraints the constraints that it does not meet, the most telling first; at least
 *     one
 * @param retryConditions the changes of which one must come before the job is tried again; at least
 *     one
 * @param remedies changes with which it would fit, each verified; the least intrusive first. They
 *     do not change whose turn it is
 */
public record Explanation(
    JobId job,
    Instant asOf,
    QueuePosition queue,
    List<UnmetConstraint> unmetConstraints,
    List<RetryCondition> retryConditions,
    List<Counterfactual> remedies) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if there is no unmet constraint, or no condition
   */
  public Explanation {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(asOf, "asOf");
    Objects.requireNonNull(queue, "queue");
    unmetConstraints = List.copyOf(unmetConstraints);
    retryConditions = List.copyOf(retryConditions);
    remedies = List.copyOf(remedies);
    if (unmetConstraints.isEmpty() || retryConditions.isEmpty()) {
      throw new IllegalArgumentException(
          "an explanation needs unmet constraints and conditions, but had %d and %d, for job '%s'"
              .formatted(unmetConstraints.size(), retryConditions.size(), job));
    }
  }

  /**
   * Returns one line for people and alerts: the first constraint, whose code is stable, and the
   * expected start if it is known.
   */
  public String summary() {
    return unmetConstraints.getFirst().describe()
        + queue.expectedStart().map(start -> "; " + start.describe()).orElse("");
  }

  /** Returns the explanation as a few lines for people. */
  public String describe() {
    StringBuilder text = new StringBuilder("job '" + job + "' waits:");
    text.append("\n  ").append(queue.describe());
    unmetConstraints.forEach(unmet -> text.append("\n  ").append(unmet.describe()));
    String changes =
        retryConditions.stream().map(RetryCondition::describe).collect(Collectors.joining(", or "));
    text.append("\n  is tried again ").append(changes);
    remedies.forEach(remedy -> text.append("\n  ").append(remedy.describe()));
    return text.toString();
  }
}
