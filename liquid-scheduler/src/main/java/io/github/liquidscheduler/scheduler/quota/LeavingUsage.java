package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the accounts count what is promised; a job that leaves still holds more than that. A job
 *   that waits for it is not there yet, so that the two count as their union: in each resource as
 *   much of the one as of the other is shared. The most that is there at once is the sum less the
 *   largest amount that can be shared, a maximum flow (Pairs). Each queue pairs its own jobs, since
 *   those of others must not use up what they share. Nothing is kept: all follows from the phases
 *   of jobs.
 * Invariants: at every queue, what its jobs really hold, in whatever order the jobs leave, is at
 *   most the promised amount and the amount beyond; a decision that names the jobs of after keeps
 *   that within all limits. The amount does not depend on the order of the jobs; whose part of it
 *   is shared does, so that restored schedulers list them alike. StoppingLaws and HeldCapacityLaws
 *   count what is really there, LeavingUsageTest the order.
 * Cost: O(jobs that wait x jobs named by each x depth x resources) where no pair gives way to
 *   another; a decision makes that for each further job that it names. None without jobs that
 *   leave.
 * Rejected: charges kept in the accounts, which every rollback and restart would have to repair;
 *   pairs that never give way, which share less in one order of the jobs than in another.
 */
/** What jobs that are leaving hold beyond the promised amounts of their queues. Immutable. */
public final class LeavingUsage {

  private final Map<JobId, Change> leaving = new LinkedHashMap<>();
  private final List<Change> all;

  /**
   * A job that leaves something, or waits for others.
   *
   * @param job the job
   * @param queue the queue for which its tasks count
   * @param leaving what it holds, or is about to hold, beyond what it is promised
   * @param coming what it holds only once the others have left
   * @param after the jobs that it waits for
   * @param by when it has left at the latest; the end of time if that is unknown
   */
  public record Change(
      JobId job, QueueAccount queue, Charge leaving, Charge coming, List<JobId> after, Instant by) {

    private static final Comparator<Change> SOONEST_FIRST =
        Comparator.comparing(Change::by).thenComparing(Change::job);

    Change waitingFor(List<JobId> others) {
      return new Change(job, queue, leaving, coming, others, by);
    }
  }

  /**
   * Counts the jobs.
   *
   * @param changes the jobs that leave or wait, each once, in a fixed order
   */
  public LeavingUsage(List<Change> changes) {
    all = List.copyOf(changes);
    for (Change change : all) {
      if (change.leaving().isSome()) {
        leaving.put(change.job(), change);
      }
    }
  }

  /** Returns what counts for a queue beyond its promised amounts; of each resource at least 0. */
  public Charge beyond(QueueAccount queue) {
    long[] sum = new long[queue.resources()];
    alone(queue).values().forEach(amounts -> new Charge(amounts).addTo(sum, 1));
    return new Charge(sum);
  }

  /** Returns, by leaving job of a queue, what no waiting job of the queue is counted with. */
  private Map<JobId, long[]> alone(QueueAccount queue) {
    Map<JobId, long[]> alone = new LinkedHashMap<>();
    for (Change change : leaving.values()) {
      if (change.queue().isIn(queue)) {
        alone.put(change.job(), change.leaving().amounts());
      }
    }
    List<Change> waiting =
        all.stream()
            .filter(change -> change.coming().isSome() && change.queue().isIn(queue))
            .toList();
    for (int resource = 0; resource < queue.resources(); resource++) {
      Pairs pairs = new Pairs(alone, resource);
      waiting.forEach(pairs::enter);
    }
    return alone;
  }

  /** The largest amount of one resource that waiting jobs share with the leaving ones they name. */
  private static final class Pairs {

    private final Map<JobId, long[]> alone;
    private final int resource;
    private final Map<JobId, Map<Change, Long>> shared = new HashMap<>();

    /**
     * Makes an empty set of pairs.
     *
     * @param alone what leaving jobs share with nobody; changed by each pair
     */
    Pairs(Map<JobId, long[]> alone, int resource) {
      this.alone = alone;
      this.resource = resource;
    }

    void enter(Change waiting) {
      long left = waiting.coming().of(resource);
      long more = left;
      while (left > 0 && more > 0) {
        more = share(waiting, left, new HashSet<>());
        left -= more;
      }
    }

    /** Shares some more of a waiting job, also where another one can share with others instead. */
    private long share(Change waiting, long most, Set<JobId> seen) {
      for (JobId other : waiting.after()) {
        if (alone.containsKey(other) && seen.add(other)) {
          long more = Math.min(most, requireNonNull(alone.get(other))[resource]);
          if (more > 0) {
            requireNonNull(alone.get(other))[resource] -= more;
          } else {
            more = giveWay(other, most, seen);
          }
          if (more > 0) {
            with(other).merge(waiting, more, Long::sum);
            return more;
          }
        }
      }
      return 0;
    }

    private long giveWay(JobId other, long most, Set<JobId> seen) {
      for (Map.Entry<Change, Long> holder : with(other).entrySet()) {
        long more =
            holder.getValue() == 0
                ? 0
                : share(holder.getKey(), Math.min(most, holder.getValue()), seen);
        if (more > 0) {
          holder.setValue(holder.getValue() - more);
          return more;
        }
      }
      return 0;
    }

    private Map<Change, Long> with(JobId other) {
      return shared.computeIfAbsent(other, none -> new LinkedHashMap<>());
    }
  }

  /**
   * Returns the jobs that have to leave before one may hold what it is promised, by id: the given
   * ones and those that still hold quota that it takes.
   *
   * @param job the change of the job, which is not counted here; waits for those who hold devices
   * @param promised what it is promised, not in the accounts yet
   */
  public List<JobId> jobsToAwait(Change job, Charge promised) {
    List<JobId> after = new ArrayList<>(job.after());
    Set<JobId> behind = waitingFor(job.job());
    List<JobId> further = new ArrayList<>();
    for (Optional<Change> next = nextToName(job, promised, after, behind);
        next.isPresent();
        next = nextToName(job, promised, after, behind)) {
      after.add(next.get().job());
      further.add(next.get().job());
    }
    for (JobId named : further) {
      List<JobId> without = after.stream().filter(other -> !other.equals(named)).toList();
      if (nextToName(job, promised, without, behind).isEmpty()) {
        after.remove(named);
      }
    }
    return after.stream().sorted().toList();
  }

  /** Returns the jobs that wait for one, directly or not. */
  private Set<JobId> waitingFor(JobId job) {
    Set<JobId> behind = new HashSet<>(List.of(job));
    boolean grows = true;
    while (grows) {
      grows = false;
      for (Change change : all) {
        grows |= change.after().stream().anyMatch(behind::contains) && behind.add(change.job());
      }
    }
    return behind;
  }

  /** Returns the next job to wait for; empty if all limits hold or nobody else helps. */
  private Optional<Change> nextToName(
      Change job, Charge promised, List<JobId> after, Set<JobId> behind) {
    LeavingUsage with = with(job.waitingFor(after));
    for (@Nullable QueueAccount queue = job.queue(); queue != null; queue = queue.parent()) {
      Charge beyond = with.beyond(queue);
      for (int resource = 0; resource < queue.resources(); resource++) {
        long others = Charge.sum(queue.held(resource), beyond.of(resource));
        if (job.coming().of(resource) > 0
            && promised.of(resource) > queue.limit(resource) - others) {
          Optional<Change> next = with.soonest(queue, resource, after, behind);
          if (next.isPresent()) {
            return next;
          }
        }
      }
    }
    return Optional.empty();
  }

  private LeavingUsage with(Change job) {
    List<Change> changes = new ArrayList<>(all);
    changes.add(job);
    return new LeavingUsage(changes);
  }

  private Optional<Change> soonest(
      QueueAccount queue, int resource, List<JobId> after, Set<JobId> behind) {
    Map<JobId, long[]> alone = alone(queue);
    return leaving.values().stream()
        .filter(other -> other.queue().isIn(queue))
        .filter(other -> requireNonNull(alone.get(other.job()))[resource] > 0)
        .filter(other -> !after.contains(other.job()) && !behind.contains(other.job()))
        .min(Change.SOONEST_FIRST);
  }
}
