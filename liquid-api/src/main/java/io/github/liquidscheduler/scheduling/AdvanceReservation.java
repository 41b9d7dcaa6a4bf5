package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A part of the cluster that is spoken for from a time to another one, as an operator announces
 * beforehand (Slurm's advance reservations). Until then it is used by jobs that are expected to end
 * before.
 *
 * <p>It begins after all else that is reported of its first instant: with a {@link
 * ClusterEvent.TimePassed} at it, or with the first later event. A job that ends at that instant is
 * not stopped, whatever is reported first.
 */
public sealed interface AdvanceReservation {

  /** Returns its identity. */
  ReservationId id();

  /** Returns from when. */
  Instant from();

  /** Returns until when, excluded; after {@link #from}. */
  Instant until();

  /**
   * Nodes on which nothing may run for a time. What still runs there when it begins is pre-empted
   * with the grace period that pre-empted jobs have, jobs that policies must not pre-empt included:
   * an operator needs the nodes.
   *
   * @param from from when
   * @param until until when, after {@code from}
   * @param nodes the nodes, at least one, each once
   */
  record Maintenance(ReservationId id, Instant from, Instant until, List<NodeId> nodes)
      implements AdvanceReservation {
    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if it does not end after it begins, or names no node or one
     *     twice
     */
    public Maintenance {
      requireOrder(id, from, until);
      nodes = List.copyOf(nodes);
      Set<NodeId> seen = new HashSet<>();
      if (nodes.isEmpty() || !nodes.stream().allMatch(seen::add)) {
        throw new IllegalArgumentException(
            "maintenance must name at least one node, and each once, but named %s, for reservation '%s'"
                .formatted(nodes, id));
      }
    }
  }

  /**
   * Capacity that only named jobs, and those of a queue, may use for a time. When it begins, other
   * jobs that still run there are pre-empted, with grace, if one of these jobs waits; jobs that are
   * not pre-emptible stay.
   *
   * @param from from when
   * @param until until when, after {@code from}; jobs that use it may go on after it
   * @param shape what a gang asks for that fills the capacity, on whole GPUs and of one size; its
   *     id, its queue and how long it runs are not looked at
   * @param jobs jobs that may use it, submitted or not, each once; the capacity is released once
   *     all of them are over, unless a queue may use it too
   * @param queue the queue whose jobs may use it, if any
   */
  record Capacity(
      ReservationId id,
      Instant from,
      Instant until,
      JobSpec shape,
      List<JobId> jobs,
      Optional<QueueName> queue)
      implements AdvanceReservation {
    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if it does not end after it begins, nobody may use it, a job
     *     is named twice, or the shape shares GPUs or has several sizes
     */
    public Capacity {
      requireOrder(id, from, until);
      Objects.requireNonNull(shape, "shape");
      Objects.requireNonNull(queue, "queue");
      jobs = List.copyOf(jobs);
      JobId.requireDistinct(jobs, "reservation '" + id + "'");
      if (jobs.isEmpty() && queue.isEmpty()) {
        throw new IllegalArgumentException(
            "capacity must be reserved for a queue or for named jobs, but was for nobody, for reservation '%s'"
                .formatted(id));
      }
      boolean isShared =
          shape.roles().stream().anyMatch(role -> role.request().share().isPresent());
      if (isShared
          || !(shape.sharing() instanceof Sharing.Exclusive)
          || shape.parallelism().isElastic()) {
        throw new IllegalArgumentException(
            "capacity must be of whole GPUs and of one size, but was not, for reservation '%s'"
                .formatted(id));
      }
    }

    /** Returns true if a job may use the capacity. */
    public boolean isFor(JobSpec job) {
      return jobs.contains(job.id()) || queue.filter(job.queue()::equals).isPresent();
    }
  }

  private static void requireOrder(ReservationId id, Instant from, Instant until) {
    Objects.requireNonNull(id, "id");
    if (!until.isAfter(from)) {
      throw new IllegalArgumentException(
          "a reservation must end after it begins, but was from %s until %s, for reservation '%s'"
              .formatted(from, until, id));
    }
  }
}
