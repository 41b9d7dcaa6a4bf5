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
 * @param unmetConstraints the constraints that it does not meet, the most telling first; at least
 *     one
 * @param remedies changes that would let it run now, each verified; the least intrusive first
 */
public record Explanation(
    JobId job,
    Instant asOf,
    List<UnmetConstraint> unmetConstraints,
    List<Counterfactual> remedies) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if there is no unmet constraint
   */
  public Explanation {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(asOf, "asOf");
    unmetConstraints = List.copyOf(unmetConstraints);
    remedies = List.copyOf(remedies);
    if (unmetConstraints.isEmpty()) {
      throw new IllegalArgumentException(
          "an explanation needs an unmet constraint, but had none, for job '" + job + "'");
    }
  }

  /**
   * Returns this explanation headed by a constraint that keeps the job from being tried at all; its
   * position in the queue says nothing then and is left out.
   */
  public Explanation heldBackBy(UnmetConstraint first) {
    Stream<UnmetConstraint> others =
        unmetConstraints.stream().filter(unmet -> unmet.constraint() != Constraint.QUEUE_ORDER);
    return new Explanation(job, asOf, Stream.concat(Stream.of(first), others).toList(), remedies);
  }

  /** Returns the explanation as a few lines for people. */
  public String describe() {
    StringBuilder text = new StringBuilder("job '" + job + "' waits:");
    unmetConstraints.forEach(unmet -> text.append("\n  ").append(unmet.describe()));
    remedies.forEach(remedy -> text.append("\n  ").append(remedy.describe()));
    return text.toString();
  }
}
