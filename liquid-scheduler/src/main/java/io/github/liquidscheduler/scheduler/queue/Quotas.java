package io.github.liquidscheduler.scheduler.queue;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import io.github.liquidscheduler.scheduler.quota.QueueOrdering;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the queues of a tree hold and may hold, as long as there is a tree; without one nothing is
 * counted and everything is allowed. Remembers which placement classes are known to exceed a quota.
 */
public final class Quotas {

  private final boolean elastic;
  private @Nullable QueueBooks books;
  // Never iterated.
  private final Map<JobEntry, Counted> jobs = new HashMap<>();
  // Never iterated.
  private Set<PlacementClass> exceeding = new HashSet<>();
  private long changes;
  private long settled = -1;
  private boolean unfinished;

  /**
   * What is counted for a job.
   *
   * @param held what it holds; if it waits, what it asks for at least
   * @param requested what it wants, whether it waits or runs
   */
  private record Counted(Charge held, Charge requested) {}

  /**
   * Makes quotas without a tree.
   *
   * @param elastic whether jobs change their sizes while they run
   */
  Quotas(boolean elastic) {
    this.elastic = elastic;
  }

  /** Returns whether there is a tree. */
  public boolean areKept() {
    return books != null;
  }

  /** Returns the tree, if there is one. */
  public Optional<QueueTree> tree() {
    return Optional.ofNullable(books).map(QueueBooks::tree);
  }

  /** Returns by which rules queues take back what they have lent. There is a tree. */
  public Reclaiming reclaiming() {
    return requireNonNull(books).tree().reclaiming();
  }

  /** Returns what a queue holds and what is due to it, if there is such a queue. */
  public Optional<QueueStatus> status(QueueName queue) {
    return tree().flatMap(known -> known.find(queue)).map(known -> statusOf(known.name()));
  }

  private QueueStatus statusOf(QueueName queue) {
    QueueBooks all = requireNonNull(books);
    all.divide();
    return all.account(queue).status();
  }

  /** Has another tree, or the first, count from now on; nothing is held or asked for. */
  void begin(QueueTree tree) {
    books = new QueueBooks(tree);
    jobs.clear();
    exceeding.clear();
    changes++;
  }

  /** Returns the account of the queue of a job; null if there is no tree. */
  @Nullable QueueAccount account(QueueName queue) {
    return books == null ? null : books.account(queue);
  }

  /** Notes that a job holds its placement, or the one that it is getting, from now on. */
  void hold(JobEntry job, ClusterTopology topology) {
    if (books != null) {
      Charge charge = books.held(job.placement().orElseThrow(), topology);
      job.account().hold(charge, job.job().isPreemptible(), 1);
      enter(job, new Counted(charge, requested(job)));
    }
  }

  /** Notes that a job no longer holds what it has held. */
  void release(JobEntry job) {
    if (books != null) {
      job.account().hold(leave(job).held(), job.job().isPreemptible(), -1);
    }
  }

  /** Notes that a job waits from now on. */
  void await(JobEntry job) {
    if (books != null) {
      enter(job, new Counted(books.least(job.job()), requested(job)));
    }
  }

  /** Notes that a job waits no longer. */
  void awaitNoMore(JobEntry job) {
    if (books != null) {
      leave(job);
    }
  }

  /** Returns what a job wants: all that it may get, if sizes change while jobs run. */
  private Charge requested(JobEntry job) {
    JobSpec spec = job.job();
    boolean mayGrow = elastic && spec.parallelism().isElastic();
    return requireNonNull(books).requested(mayGrow ? spec.atSize(spec.parallelism().max()) : spec);
  }

  private void enter(JobEntry job, Counted counted) {
    jobs.put(job, counted);
    job.account().request(counted.requested(), 1);
    changes++;
  }

  private Counted leave(JobEntry job) {
    Counted counted = requireNonNull(jobs.remove(job));
    job.account().request(counted.requested(), -1);
    changes++;
    return counted;
  }

  /** Returns why the queue of a waiting job may not hold it as well, at its smallest size. */
  public Optional<QuotaExcess> excess(JobEntry job) {
    return books == null
        ? Optional.empty()
        : job.account().excess(charge(job), job.job().isPreemptible());
  }

  /**
   * Returns whether the queue of a waiting job may hold what a placement of it holds.
   *
   * @param inShare whether that must be within its share
   */
  public boolean admits(
      JobEntry job, Placement placement, boolean inShare, ClusterTopology topology) {
    if (books == null) {
      return true;
    }
    Charge charge = books.held(placement, topology);
    return job.account().excess(charge, job.job().isPreemptible()).isEmpty()
        && (!inShare || job.account().isInShare(charge));
  }

  /** Returns whether the queue of a running job may hold what it would have after a change. */
  public boolean admitsInstead(JobEntry job, Placement next, ClusterTopology topology) {
    if (books == null) {
      return true;
    }
    Charge more = books.held(next, topology).without(charge(job));
    return job.account().excess(more, job.job().isPreemptible()).isEmpty();
  }

  /** Returns what some tasks of a running job hold. There is a tree. */
  public Charge charge(Placement tasks, ClusterTopology topology) {
    return requireNonNull(books).held(tasks, topology);
  }

  /** Returns what a job holds, or asks for at least if it waits. There is a tree. */
  public Charge charge(JobEntry job) {
    return requireNonNull(jobs.get(job)).held();
  }

  /** Returns the rules by which a waiting job takes back what others hold. There is a tree. */
  public Reclaim reclaimFor(JobEntry job) {
    requireNonNull(books).divide();
    return new Reclaim(job.account(), charge(job));
  }

  /** Takes in what there is in the cluster. */
  public void measure(ClusterView cluster) {
    if (books != null) {
      books.measure(cluster);
      changes++;
    }
  }

  /** Has the queues stand in the order in which they are served now. */
  void arrange(Map<QueueName, JobQueue> queues, WaitingJobs eligible) {
    if (books != null) {
      QueueOrdering.arrange(books, account -> nextOf(queues.get(account.name()), eligible));
    }
  }

  private @Nullable Charge nextOf(@Nullable JobQueue queue, WaitingJobs eligible) {
    @Nullable JobEntry next = queue == null ? null : eligible.firstOf(queue);
    return next == null ? null : charge(next);
  }

  /** Notes that running jobs would leave in another order. */
  void reorder() {
    changes++;
  }

  /** Notes that the waiting jobs of a class were found to exceed a quota. */
  public void noteExceeding(PlacementClass placementClass) {
    exceeding.add(placementClass);
  }

  /** Returns the classes of which that was noted, and forgets them. */
  public Set<PlacementClass> takeExceeding() {
    Set<PlacementClass> taken = exceeding;
    exceeding = new HashSet<>();
    return taken;
  }

  /** Returns whether anything has changed since {@link #settle}. */
  public boolean haveChanged() {
    return changes != settled;
  }

  /** Returns whether every waiting class was looked at since the books began. */
  public boolean areSettled() {
    return settled >= 0;
  }

  /** Notes that all waiting jobs were looked at as the books stand now. */
  public void settle() {
    settled = changes;
  }

  /** Returns whether the last turn left something to decide that the next one has to. */
  public boolean areUnfinished() {
    return unfinished;
  }

  /** Notes whether a turn leaves something to decide that the next one has to. */
  public void leaveUnfinished(boolean unfinished) {
    this.unfinished = unfinished;
    if (unfinished) {
      changes++;
    }
  }

  /** Checks that jobs may stand in the queue of a job. */
  public void requireQueue(JobSpec job) {
    tree().ifPresent(known -> requireQueue(known, job));
  }

  static void requireQueue(QueueTree tree, JobSpec job) {
    if (!tree.isLeaf(job.queue())) {
      throw new IllegalArgumentException(
          "a job must be in a queue of the tree that has no parts, but job '%s' is in '%s', which %s"
              .formatted(
                  job.id(),
                  job.queue(),
                  tree.find(job.queue()).isPresent() ? "has parts" : "is not there"));
    }
  }
}
