package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a small simulation on the live cluster. Running jobs end when expected and waiting jobs
 *   start in queue order and end, until the job in question starts.
 * Invariants: no job arrives, leaves or changes rank; the cluster is as before afterwards, since
 *   all starts are tentative and withdrawn. An exhausted budget yields "not before", never a wrong
 *   start.
 * Cost: at most 512 ends and about 1,280 placed tasks, each placement counting as four more and
 *   tasks on GPU shares fourfold, whatever the number of jobs; with bypass only if at most 128
 *   jobs wait. StartEstimateLaws compares it with the scheduler; EventBench times it (explain).
 */
/**
 * Estimates the start of a waiting job: running jobs end when expected and waiting jobs start in
 * order and end, until the job starts. No job arrives, leaves or changes rank. Once the step budget
 * is spent, the result is a lower bound. The cluster is unchanged afterwards.
 */
final class LookAhead {

  private static final int MOST_WAITING = 128;
  private static final int MOST_ENDS = 512;

  /** The budget in tasks; each placement adds {@link #COST_OF_PLACEMENT}. */
  private static final int MOST_PLACED = 1280;

  private static final int COST_OF_PLACEMENT = 4;

  /** The relative cost of placing a task on a GPU share. */
  private static final int COST_OF_SHARES = 4;

  private final ClusterState cluster;
  private final Placer placer;
  private final boolean allowsBypass;
  private final JobEntry job;
  private final List<JobEntry> queue;
  private final Iterator<JobEntry> running;
  private final PriorityQueue<End> ends = new PriorityQueue<>();
  private final Set<JobId> started = new LinkedHashSet<>();
  private final List<JobId> suspended = new ArrayList<>();
  private @Nullable JobEntry nextToEnd;
  private final Instant asked;
  private Instant now;
  private int numbered;
  private int placed;
  private boolean isCertain = true;

  /** The expected end of a job that was tentatively started, or runs longer than was expected. */
  private record End(Instant at, int number, JobId job) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = at.compareTo(other.at);
      return byTime != 0 ? byTime : Integer.compare(number, other.number);
    }
  }

  private LookAhead(JobTable table, Placer placer, JobEntry job, List<JobEntry> queue) {
    this.placer = placer;
    this.job = job;
    this.queue = queue;
    cluster = table.cluster();
    allowsBypass = table.policy().allowsBypass();
    asked = table.now();
    now = asked;
    running = table.running().soonestToEnd().iterator();
    nextToEnd = next();
    while (nextToEnd != null
        && nextToEnd.at(asked).timeLeft().filter(Duration::isZero).isPresent()) {
      addEnd(nextToEnd, asked);
      nextToEnd = next();
    }
  }

  private void addEnd(JobEntry ending, Instant from) {
    int number = numbered++;
    ending.expectedEnd(from).ifPresent(at -> ends.add(new End(at, number, ending.id())));
  }

  /** Returns the estimated start of a waiting job; empty if too little is known. */
  static Optional<StartEstimate> of(JobTable table, Placer placer, JobEntry job) {
    int others = table.policy().allowsBypass() ? table.waiting().size() : 0;
    if (others > MOST_WAITING || !areEndsKnown(table)) {
      return Optional.empty();
    }
    int length = others > 0 ? others : Math.min(table.waiting().position(job) + 1, MOST_WAITING);
    List<JobEntry> queue = new ArrayList<>(table.waiting().head(length));
    LookAhead look = new LookAhead(table, placer, job, queue);
    try {
      return look.estimate();
    } finally {
      look.started.forEach(look.cluster.trials()::withdraw);
      look.suspended.forEach(look.cluster.trials()::resumeCapacity);
    }
  }

  /** Returns true if each running job is expected to end, if only beyond the horizon. */
  private static boolean areEndsKnown(JobTable table) {
    for (JobEntry job : table.running().soonestToEnd().descendingSet()) {
      if (job.expectedEnd(table.now()).isPresent()) {
        return true;
      }
      if (!hasKnownLength(job, table.now())) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasKnownLength(JobEntry job, Instant now) {
    return job.at(now).timeLeft().isPresent();
  }

  private Optional<StartEstimate> estimate() {
    for (int end = 0; end <= MOST_ENDS; end++) {
      if (startsNow()) {
        return Optional.of(new StartEstimate.ExpectedAt(now));
      }
      if (!isCertain || placed > MOST_PLACED || queue.isEmpty()) {
        break;
      }
      if (!endNext()) {
        return Optional.empty();
      }
    }
    return now.isAfter(asked) ? Optional.of(new StartEstimate.NotBefore(now)) : Optional.empty();
  }

  /** Starts jobs in queue order; returns true if the job in question is among them. */
  private boolean startsNow() {
    Set<PlacementClass> failed = new HashSet<>();
    for (Iterator<JobEntry> turn = queue.iterator(); turn.hasNext(); ) {
      JobEntry next = turn.next();
      if (!failed.contains(next.placementClass()) && starts(next)) {
        turn.remove();
        if (next.equals(job)) {
          return true;
        }
      } else if (allowsBypass) {
        failed.add(next.placementClass());
      } else {
        return false;
      }
    }
    return false;
  }

  private boolean starts(JobEntry next) {
    int leastGpus = next.placementClass().leastGpus();
    if (leastGpus > cluster.freeGpus() || placed > MOST_PLACED) {
      return false;
    }
    placed += (COST_OF_PLACEMENT + next.job().tasks()) * (leastGpus == 0 ? COST_OF_SHARES : 1);
    Optional<Placement> found = placer.place(cluster, next.job());
    if (found.isEmpty()) {
      return false;
    }
    cluster.trials().applyTentatively(next.job(), found.get());
    started.add(next.id());
    addEnd(next, now);
    isCertain &= hasKnownLength(next, now);
    return true;
  }

  /** Ends the next job; returns false if it is unknown which. */
  private boolean endNext() {
    Optional<Instant> running = nextToEnd == null ? Optional.empty() : nextToEnd.expectedEnd(asked);
    @Nullable End other = ends.peek();
    if (running.isPresent() && (other == null || !running.get().isAfter(other.at()))) {
      suspend(Objects.requireNonNull(nextToEnd).id());
      now = later(running.get());
      nextToEnd = next();
      return true;
    }
    if (other == null) {
      return false;
    }
    if (started.remove(other.job())) {
      cluster.trials().withdraw(other.job());
    } else {
      suspend(other.job());
    }
    now = later(other.at());
    ends.remove(other);
    return true;
  }

  private void suspend(JobId ending) {
    cluster.trials().suspendCapacity(ending);
    suspended.add(ending);
  }

  private @Nullable JobEntry next() {
    return running.hasNext() ? running.next() : null;
  }

  private Instant later(Instant at) {
    return at.isAfter(now) ? at : now;
  }
}
