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
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.LossCache;
import io.github.liquidscheduler.scheduler.quota.NextJob;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import io.github.liquidscheduler.scheduler.quota.QueueOrdering;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.quota.RecentUse;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import io.github.liquidscheduler.scheduler.quota.ReplacementAdmission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the queues of a tree hold and may hold, as long as there is a tree; without one nothing is
 * counted and everything is allowed.
 */
public final class Quotas {

  private final boolean elastic;
  private @Nullable QueueBooks books;
  // Never iterated.
  private Set<PlacementClass> mayStartNext = new HashSet<>();
  private final LossCache knownLosses = new LossCache();
  private final List<QueueAccount> reserving = new ArrayList<>();
  private long version;
  private long orderVersion;
  private long measureVersion;
  private long settled = -1;
  private boolean unfinished;
  private @Nullable Instant refusedAt;

  /**
   * What is counted for a job.
   *
   * @param tree by which it counts
   * @param held what it holds; if it waits, what it asks for at least
   * @param requested what it wants, whether it waits or runs
   */
  record Counted(QueueTree tree, Charge held, Charge requested) {}

  /**
   * Makes quotas without a tree.
   *
   * @param elastic whether jobs change their sizes while they run
   */
  Quotas(boolean elastic) {
    this.elastic = elastic;
  }

  /** Returns true if there is a tree. */
  public boolean hasQueueTree() {
    return books != null;
  }

  /** Returns the tree, if there is one. */
  public Optional<QueueTree> tree() {
    return books == null ? Optional.empty() : Optional.of(books.tree());
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
  void begin(QueueTree tree, Instant now) {
    QueueBooks next = new QueueBooks(tree, now);
    recentUse().ifPresent(next::restoreUse);
    books = next;
    mayStartNext.clear();
    reserving.clear();
    knownLosses.clear();
    reorder();
    settled = -1;
  }

  /** Has time pass, in which jobs held what they do now. */
  void advance(Instant now) {
    if (books != null && books.advance(now)) {
      version++;
    }
    if (refusedAt != null && now.isAfter(refusedAt)) {
      refusedAt = null;
      version++;
    }
  }

  /** Notes that a job may have others leave for it at any later time, but not at this one. */
  public void refuseAt(Instant now) {
    refusedAt = now;
  }

  /** Returns what queues have used of late; empty if there is no tree, or it does not count. */
  public Optional<RecentUse> recentUse() {
    return Optional.ofNullable(books).flatMap(QueueBooks::use);
  }

  /** Has queues have used what is said. There is a tree. */
  public void restoreUse(RecentUse use) {
    requireNonNull(books).restoreUse(use);
  }

  /** Returns the account of the queue of a job; null if there is no tree. */
  @Nullable QueueAccount account(QueueName queue) {
    return books == null ? null : books.account(queue);
  }

  /** Notes that a job holds its placement, or the one that it is getting, from now on. */
  void hold(JobEntry job, ClusterTopology topology) {
    if (books != null) {
      @Nullable Counted known = counted(job);
      Charge charge =
          known == null ? books.held(job.placement().orElseThrow(), topology) : known.held();
      job.account().hold(charge, job.job().isPreemptible(), 1);
      enter(job, known == null ? new Counted(books.tree(), charge, requested(job)) : known);
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
      @Nullable Counted known = counted(job);
      enter(
          job,
          known == null
              ? new Counted(books.tree(), books.least(job.job()), requested(job))
              : known);
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

  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  private @Nullable Counted counted(JobEntry job) {
    @Nullable Counted counted = job.counted();
    return counted == null || counted.tree() != requireNonNull(books).tree() ? null : counted;
  }

  private void enter(JobEntry job, Counted counted) {
    job.setCounted(counted);
    job.account().request(counted.requested(), 1);
    version++;
  }

  private Counted leave(JobEntry job) {
    Counted counted = requireNonNull(counted(job));
    job.setCounted(null);
    job.account().request(counted.requested(), -1);
    version++;
    return counted;
  }

  /** Returns why the queue of a waiting job may not hold it as well, at its smallest size. */
  public Optional<QuotaExcess> excess(JobEntry job) {
    return books == null
        ? Optional.empty()
        : job.account().admission().excess(charge(job), job.job().isPreemptible());
  }

  /** Returns true if the queue of a waiting job may hold what a placement of it holds. */
  public boolean admits(JobEntry job, Placement placement, ClusterTopology topology) {
    return admits(job, placement, topology, HypotheticalUsage.toAdmit(), true)
        && respectsUnlendable(job, placement, topology, HypotheticalUsage.toAdmit());
  }

  /** Returns true if its queue holds no more than its share with a placement of a waiting job. */
  public boolean isInShare(JobEntry job, Placement placement, ClusterTopology topology) {
    return job.account().isInShare(charge(placement, topology));
  }

  /**
   * Returns true if a limit of a queue that its own is a part of keeps a job waiting, so that what
   * other parts lose may let it start. It has to be pre-emptible.
   */
  public boolean isBlockedByParentLimit(JobEntry job) {
    return job.job().isPreemptible()
        && excess(job).filter(excess -> !excess.queue().equals(job.job().queue())).isPresent();
  }

  /**
   * Returns true if a limit, of its own queue or of one that this is a part of, keeps a job
   * waiting, so that what its own queue loses may let it start.
   */
  public boolean isBlockedByLimit(JobEntry job) {
    return excess(job).filter(excess -> !excess.isOfGuaranteed()).isPresent();
  }

  /**
   * Returns true if the queue of a waiting job may hold a placement of it in the stead of what some
   * of its jobs lose: within its limits, and where shares are taken back no more than its share, or
   * than before. What others do not lend is not looked at. There is a tree.
   *
   * @param lost what each of those holds who leave
   */
  public boolean admitsReplacement(
      JobEntry job, Placement placement, ClusterTopology topology, List<Charge> lost) {
    ReplacementAdmission instead = instead(job, charge(placement, topology));
    lost.forEach(instead::lose);
    return instead.isAllowed();
  }

  /**
   * Returns the same of what a waiting job asks for at least, before anybody leaves. Where what it
   * counts for {@linkplain #dependsOnModels depends on where it runs} that tells nothing. There is
   * a tree.
   */
  public ReplacementAdmission leastReplacement(JobEntry job) {
    return instead(job, charge(job));
  }

  private ReplacementAdmission instead(JobEntry job, Charge asked) {
    boolean withinShare = reclaiming() != Reclaiming.NEVER;
    return new ReplacementAdmission(job.account(), asked, job.job().isPreemptible(), withinShare);
  }

  /**
   * Returns true if the queue of a waiting job may hold what a placement of it holds, if queues
   * used so much; what others do not lend is not looked at. There is a tree.
   *
   * @param mayBorrow whether the queue may hold more than is guaranteed to it then
   */
  public boolean admits(
      JobEntry job,
      Placement placement,
      ClusterTopology topology,
      HypotheticalUsage use,
      boolean mayBorrow) {
    Charge charge = charge(placement, topology);
    return job.account().admission().admits(charge, job.job().isPreemptible(), use)
        && (mayBorrow || !job.account().admission().wouldBorrow(charge, use));
  }

  /** Returns true if some queue does not lend all that is guaranteed to it. */
  public boolean guaranteesUnlendableQuota() {
    return books != null && !lendsQuota() && books.guaranteesUnlendableQuota();
  }

  /**
   * Returns true if a placement of a waiting job takes nothing of what other queues do not lend, if
   * queues used so much. There is a tree.
   */
  public boolean respectsUnlendable(
      JobEntry job, Placement placement, ClusterTopology topology, HypotheticalUsage use) {
    return !guaranteesUnlendableQuota()
        || job.account().admission().respectsUnlendable(charge(placement, topology), use);
  }

  /**
   * Returns the resources of which the queue of a waiting job may not hold as much as it asks for;
   * all that it asks for if there are none. There is a tree.
   */
  public BitSet needed(JobEntry job) {
    return job.account().admission().needed(charge(job));
  }

  /** Returns who borrows what a job needs, if queues used so much. There is a tree. */
  public LentQuota lentTo(JobEntry job, BitSet needed, HypotheticalUsage use) {
    return new LentQuota(job.account(), charge(job), needed, use);
  }

  /**
   * Keeps for a job that does not fit what is guaranteed to its queue, if it is the first of that,
   * until {@link #releaseReservations}.
   */
  public void reserveFor(JobEntry job, WaitingJobs eligible) {
    if (lendsQuota() && job.equals(eligible.firstOf(job.queue()))) {
      job.account().reserveFor(charge(job));
      reserving.add(job.account());
    }
  }

  /** Ends all that is kept for jobs that wait. */
  public void releaseReservations() {
    reserving.forEach(QueueAccount::releaseReservation);
    reserving.clear();
  }

  /** Returns true if queues lend each other what is guaranteed to them. */
  public boolean lendsQuota() {
    return books != null && reclaiming().lends();
  }

  /** Returns true if the queue of a running job may hold what it would have after a change. */
  public boolean admitsChange(JobEntry job, Placement next, ClusterTopology topology) {
    if (books == null) {
      return true;
    }
    Charge more = books.held(next, topology).without(charge(job));
    return job.account().admission().excess(more, job.job().isPreemptible()).isEmpty()
        && (!guaranteesUnlendableQuota()
            || job.account().admission().respectsUnlendable(more, HypotheticalUsage.toAdmit()));
  }

  /** Returns what some tasks of a running job hold. There is a tree. */
  public Charge charge(Placement tasks, ClusterTopology topology) {
    return requireNonNull(books).held(tasks, topology);
  }

  /** Returns what a job holds, or asks for at least if it does not run. There is a tree. */
  public Charge charge(JobEntry job) {
    @Nullable Counted counted = counted(job);
    return counted == null ? requireNonNull(books).least(job.job()) : counted.held();
  }

  /** Returns the rules by which a waiting job takes back what others hold. There is a tree. */
  public Reclaim reclaimFor(JobEntry job) {
    requireNonNull(books).divide();
    return new Reclaim(job.account(), charge(job));
  }

  /**
   * Returns true if more decides if a waiting job may start than what its queue may hold, what is
   * free and what its own queue would give up: what other queues hold, or who stands before it.
   */
  public boolean dependsOnOthers(JobEntry job) {
    if (books == null) {
      return false;
    }
    return lendsQuota()
        || guaranteesUnlendableQuota()
        || !job.account().allowsBypass()
        || books.dependsOnPlacement(job.job())
        || mayTakeBack(job);
  }

  /**
   * Returns true if a job that did not fit may start now since queues hold something else, or
   * something else is due to them.
   *
   * @param preempts whether it may have others of its own queue leave
   */
  public boolean mayHelpSince(JobEntry job, boolean preempts) {
    boolean isKnown =
        job.account().allowsBypass()
            && !lendsQuota()
            && job.shortage().hasFailedAt(searchVersion());
    return !isKnown && (dependsOnOthers(job) || (preempts && mayPreemptSince(job)));
  }

  private boolean mayPreemptSince(JobEntry job) {
    return !job.shortage().hasFailedInQueueAt(job.account().version());
  }

  /** Notes that a waiting job found nobody who could leave for it. There is a tree. */
  public void noteFailure(JobEntry job) {
    job.shortage().failAt(searchVersion(), job.account().version());
  }

  /** Returns true if a waiting job may have jobs of other queues leave. There is a tree. */
  public boolean mayTakeBack(JobEntry job) {
    return reclaiming() != Reclaiming.NEVER && reclaimFor(job).isJust();
  }

  /**
   * Returns true if a waiting job may have others leave, its queue being within its share with it,
   * and nothing but room decides if it starts. There is a tree.
   */
  public boolean mayReclaim(JobEntry job) {
    return !lendsQuota() && dependsOnlyOnCapacity(job) && mayTakeBack(job);
  }

  /**
   * Returns true if a job that its queue may hold can take whatever room there is: it counts the
   * same everywhere, and nothing is kept from it. There is a tree.
   */
  public boolean dependsOnlyOnCapacity(JobEntry job) {
    return !guaranteesUnlendableQuota() && !dependsOnModels(job);
  }

  /**
   * Returns true if what a job counts for depends on where it runs: GPUs of some model are counted
   * apart, and it may run on others as well. There is a tree.
   */
  public boolean dependsOnModels(JobEntry job) {
    return requireNonNull(books).dependsOnPlacement(job.job());
  }

  /**
   * Takes in what there is in the cluster: nodes that jobs leave may be of other use than before.
   */
  public void measure(ClusterView cluster) {
    if (books != null) {
      books.measure(cluster);
      version++;
      measureVersion++;
    }
  }

  /** Has the queues stand in the order in which they are served now. */
  void arrange(Map<QueueName, JobQueue> queues, WaitingJobs eligible) {
    if (books != null) {
      QueueOrdering.arrange(books, account -> nextOf(queues.get(account.name()), eligible));
    }
  }

  private @Nullable NextJob nextOf(@Nullable JobQueue queue, WaitingJobs eligible) {
    @Nullable JobEntry next = queue == null ? null : eligible.firstOf(queue);
    return next == null ? null : new NextJob(charge(next), next.rank(), next.sequence());
  }

  /** Returns true if a job has to wait for its turn in its queue, where nobody bypasses others. */
  public boolean hasToWaitForTurn(JobEntry job, WaitingJobs eligible) {
    return books != null
        && !job.account().allowsBypass()
        && !job.equals(eligible.firstOf(job.queue()));
  }

  /** Notes that running jobs would leave in another order, or others of them. */
  void reorder() {
    version++;
    orderVersion++;
  }

  /** Returns what queues were found to lose. */
  public LossCache knownLosses() {
    return knownLosses;
  }

  /** Returns a number that is another whenever running jobs would leave in another order. */
  public long orderVersion() {
    return orderVersion;
  }

  /**
   * Returns a number that is another whenever something has changed, but for the room on nodes, by
   * which a search for jobs that may leave for a waiting one goes on. There is a tree.
   */
  public long searchVersion() {
    return requireNonNull(books).holdingsVersion() + orderVersion + measureVersion;
  }

  /** Notes that the waiting jobs of a class may start in the next turn though not in this one. */
  public void noteMayStartNext(PlacementClass placementClass) {
    mayStartNext.add(placementClass);
  }

  /** Returns the classes of which that was noted. */
  public Set<PlacementClass> mayStartNext() {
    return Collections.unmodifiableSet(mayStartNext);
  }

  /** Returns the classes of which that was noted, and forgets them. */
  public Set<PlacementClass> takeMayStartNext() {
    Set<PlacementClass> taken = mayStartNext;
    mayStartNext = new HashSet<>();
    return taken;
  }

  /** Returns true if anything has changed since {@link #settle}. */
  public boolean haveChanged() {
    return version != settled;
  }

  /**
   * Has all waiting jobs be looked at again though no queue uses anything else: what is kept for
   * the first of each ends and begins in the order of their turns.
   */
  public void lookAgain() {
    version++;
  }

  /** Returns true if every waiting class was looked at since the books began. */
  public boolean areSettled() {
    return settled >= 0;
  }

  /** Notes that all waiting jobs were looked at as the books stand now. */
  public void settle() {
    settled = version;
  }

  /**
   * Has all waiting jobs count as looked at; whoever may start now is noted apart.
   *
   * @param changed whether something has changed since
   */
  public void restoreSettled(boolean changed) {
    settled = changed ? version++ : version;
  }

  /** Returns true if a waiting job is known to find nobody who could leave. There is a tree. */
  public boolean isKnownToFail(JobEntry job) {
    return job.shortage().hasFailedAt(searchVersion());
  }

  /** Returns true if the last turn left something to decide that the next one has to. */
  public boolean areUnfinished() {
    return unfinished;
  }

  /** Notes whether a turn leaves something to decide that the next one has to. */
  public void leaveUnfinished(boolean unfinished) {
    this.unfinished = unfinished;
    if (unfinished) {
      version++;
    }
  }

  /**
   * Has the queues of an equal tree, in which nobody holds anything yet, hold and be due the same
   * as those of others, and knows of the waiting jobs what those know of the same ones.
   */
  void copyFrom(Quotas other, UnaryOperator<JobEntry> copy) {
    mayStartNext = new HashSet<>(other.mayStartNext);
    unfinished = other.unfinished;
    refusedAt = other.refusedAt;
    orderVersion = other.orderVersion;
    measureVersion = other.measureVersion;
    other.recentUse().ifPresent(this::restoreUse);
    if (books != null && other.books != null) {
      QueueBooks own = books;
      own.copyFrom(other.books);
      other.reserving.forEach(account -> reserving.add(own.same(account)));
      if (!elastic) {
        knownLosses.copyFrom(
            other.knownLosses, own::same, lost -> copy.apply((JobEntry) lost), orderVersion);
      }
    }
    if (other.areSettled() && !lendsQuota()) {
      settled = other.haveChanged() ? version++ : version;
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
