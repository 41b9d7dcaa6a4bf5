package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A job as its manager shows it.
 *
 * @param id the manager's id
 * @param submitted when the manager took it, which may be another time once its attempt has grown;
 *     at attempt 0 it tells a job from another to which the manager has given a forgotten id again;
 *     empty if it is not known
 * @param attempt which run of the job this is, or the next will be; it grows when the manager has
 *     taken the job back into its queue, and never shrinks unless the manager forgets
 * @param state how far it has come
 * @param on where it runs: the node of each task, in the order of the roles and tasks of its
 *     request; empty if it holds no node
 * @param request what it asks for; while it runs, what it has
 * @param isOwned whether the scheduler decides when it starts; others are watched only
 */
public record ObservedJob(
    JobId id,
    Optional<Instant> submitted,
    int attempt,
    ObservedState state,
    List<NodeId> on,
    ObservedRequest request,
    boolean isOwned) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the attempt is negative
   */
  public ObservedJob {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(submitted, "submitted");
    Objects.requireNonNull(state, "state");
    on = List.copyOf(on);
    Objects.requireNonNull(request, "request");
    if (attempt < 0) {
      throw new IllegalArgumentException(
          "an attempt must not be negative, but was %d, for job '%s'".formatted(attempt, id));
    }
  }
}
