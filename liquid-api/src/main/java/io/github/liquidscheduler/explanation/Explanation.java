package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Why a job waits, at one instant, and what would let it run.
 *
 * @param job the job
 * @param asOf the instant
 * @param shortfalls the constraints that keep it waiting, the most telling first; at least one
 * @param remedies changes that would let it run now, each verified; the least intrusive first
 */
public record Explanation(
    JobId job, Instant asOf, List<UnmetConstraint> shortfalls, List<Counterfactual> remedies) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if there is no shortfall
   */
  public Explanation {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(asOf, "asOf");
    shortfalls = List.copyOf(shortfalls);
    remedies = List.copyOf(remedies);
    if (shortfalls.isEmpty()) {
      throw new IllegalArgumentException(
          "an explanation needs a shortfall, but had none, for job '" + job + "'");
    }
  }

  /**
   * Returns this explanation, with something else that comes before all others: the job is not
   * tried at all. That it would have to wait for others, were it tried, says nothing then.
   */
  public Explanation heldBackBy(UnmetConstraint first) {
    Stream<UnmetConstraint> others =
        shortfalls.stream().filter(shortfall -> shortfall.constraint() != Constraint.QUEUE_ORDER);
    return new Explanation(job, asOf, Stream.concat(Stream.of(first), others).toList(), remedies);
  }

  /** Returns the explanation as a few lines for people. */
  public String describe() {
    StringBuilder text = new StringBuilder("job '" + job + "' waits:");
    shortfalls.forEach(shortfall -> text.append("\n  ").append(shortfall.describe()));
    remedies.forEach(remedy -> text.append("\n  ").append(remedy.describe()));
    return text.toString();
  }
}
