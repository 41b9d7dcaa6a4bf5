package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that a pass compares the scheduler with.
 *
 * @param seen what the manager shows
 * @param answers what the manager said of jobs that it does not show
 * @param gone the jobs that are not shown for so long that they have ended
 * @param isTooYoung whether something was commanded about a job that the observation may not show
 * @param note what is noted of a job by the manager's id
 * @param byOwnId the manager's id of a job by its id in the scheduler
 * @param refusals why jobs are not wanted, by the manager's id
 * @param isLate whether a job is released for longer than a start may take
 * @param isHoldSaved whether a job is held for so long that the manager cannot forget it
 * @param isStopped whether a stop of a job was confirmed before the observation
 * @param now the time
 * @param since when the process began: a start that was due before is due from then on
 * @param startTimeout how long a start may take
 */
record Sight(
    Observation seen,
    Map<JobId, ObservedJob> answers,
    Set<JobId> gone,
    Predicate<JobId> isTooYoung,
    Function<JobId, JobNote> note,
    Function<JobId, JobId> byOwnId,
    Function<JobId, Optional<Refusal>> refusals,
    Predicate<JobId> isLate,
    Predicate<JobId> isHoldSaved,
    Predicate<ObservedJob> isStopped,
    Instant now,
    Instant since,
    Duration startTimeout) {

  /** Why a job is not wanted as it is; of which request that was said, if it is known. */
  record Refusal(Optional<ObservedRequest> of, String text) {}

  /** Returns true if a start is not seen for longer than it may take. */
  boolean isOverdue(JobStatus.Launching start) {
    Instant from = start.since().isBefore(since) ? since : start.since();
    return Duration.between(from, now).compareTo(startTimeout) >= 0;
  }

  /** Returns true if the manager does not know what runs on one of some nodes. */
  boolean isSuspect(Collection<NodeId> nodes) {
    return conditions(nodes).anyMatch(Optional.of(NodeCondition.SUSPECT)::equals);
  }

  /** Returns true if a start cannot happen, since a node takes no tasks. */
  boolean isClosed(Placement placement) {
    return conditions(placement.nodes())
        .anyMatch(
            at ->
                at.isEmpty()
                    || at.get() == NodeCondition.DRAINING
                    || at.get() == NodeCondition.DOWN);
  }

  /** Returns true if each node takes tasks. */
  boolean isOpen(Placement placement) {
    return conditions(placement.nodes()).allMatch(at -> at.equals(Optional.of(NodeCondition.UP)));
  }

  private Stream<Optional<NodeCondition>> conditions(Collection<NodeId> nodes) {
    return nodes.stream().map(node -> Optional.ofNullable(seen.conditions().get(node)));
  }
}
