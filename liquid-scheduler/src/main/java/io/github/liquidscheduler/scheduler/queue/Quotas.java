package io.github.liquidscheduler.scheduler.queue;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.LossCache;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import io.github.liquidscheduler.scheduler.quota.RecentUse;
import io.github.liquidscheduler.scheduler.rollback.Stamps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the door between jobs and the accounts of their queues: charges are computed once for each
 * job and tree and kept on the job. Version numbers tell what a failed search depended on, so that
 * it is repeated only if one of them has moved.
 * Invariants: a waiting or running job is counted exactly once under the present tree; without a
 * tree everything is allowed and nothing is counted; knowledge of failures is never wrong, only
 * missing. QueueLaws, LendingLaws and QueueRetryLaws compare with independent ledgers and with
 * trying every job.
 * Cost: hold, release and excess O(depth x resources), plus O(tasks) for a first charge; arrange
 * O(1) if nothing has changed, else O(leaves) and a sort of each changed level (in lending mode
 * always of all leaves). QueueBench.
 */
/**
 * Usage and quotas of the queues of a tree. Without a tree nothing is counted and everything is
 * allowed.
 */
public final class Quotas {

  private final boolean elastic;
  private final boolean ordered;
  private final ClusterState cluster;
  private @Nullable QueueBooks books;
  private final LossCache knownLosses = new LossCache();
  private long version;
  private final Stamps stamps = new Stamps();
  private long orderVersion = stamps.next();
  private long measureVersion = stamps.next();
  private long settled = -1;
  private long cutAt = -1;
  private final Map<JobEntry, Charge> supposed = new LinkedHashMap<>();
  private final JobAdmission admission = new JobAdmission(this);

  /**
   * Makes quotas without a tree.
   *
   * @param cluster where the jobs run
   * @param elastic whether jobs change their sizes while they run
   * @param ordered whether the policy orders queues
   */
  Quotas(ClusterState cluster, boolean elastic, boolean ordered) {
    this.cluster = cluster;
    this.elastic = elastic;
    this.ordered = ordered;
  }

  /** Returns what the quotas say of single jobs. */
  public JobAdmission admission() {
    return admission;
  }

  /** Returns the books. Requires a queue tree. */
  QueueBooks books() {
    return requireNonNull(books);
  }

  /** Returns true if there is a queue tree. */
  public boolean hasQueueTree() {
    return books != null;
  }

  /** Returns the tree, if there is one. */
  public Optional<QueueTree> tree() {
    return books == null ? Optional.empty() : Optional.of(books.tree());
  }

  /** Returns the rules of reclaim. Requires a queue tree. */
  public Reclaiming reclaiming() {
    return books().tree().reclaiming();
  }

  /** Replaces the tree; usage and requests start empty. */
  void begin(QueueTree tree, Instant now) {
    QueueBooks next = new QueueBooks(tree, now, stamps);
    recentUse().ifPresent(next::restoreUse);
    books = next;
    knownLosses.clear();
    reorder();
    settled = -1;
  }

  /** Advances decayed usage to {@code now}. */
  void advance(Instant now) {
    if (books != null && books.advance(now)) {
      version++;
    }
  }

  /** Returns the decayed usage; empty if the tree does not count it. */
  public Optional<RecentUse> recentUse() {
    return Optional.ofNullable(books).flatMap(QueueBooks::use);
  }

  /** Restores the decayed usage. Requires a queue tree. */
  public void restoreUse(RecentUse use) {
    books().restoreUse(use);
  }

  /** Returns the account of a queue; null without a tree. */
  @Nullable QueueAccount account(QueueName queue) {
    return books == null ? null : books.account(queue);
  }

  /** Books the present or future placement of a running job. */
  void hold(JobEntry job) {
    if (books != null) {
      JobEntry.@Nullable Counted known = counted(job);
      Charge charge = known == null ? charge(job.placement().orElseThrow()) : known.held();
      job.account().hold(charge, job.job().isPreemptible(), 1);
      enter(
          job, known == null ? new JobEntry.Counted(books.tree(), charge, requested(job)) : known);
    }
  }

  /** Releases the held amounts of a job. */
  void release(JobEntry job) {
    if (books != null && counted(job) != null) {
      job.account().hold(leave(job).held(), job.job().isPreemptible(), -1);
    }
  }

  /** Books the request of a waiting job. */
  void await(JobEntry job) {
    if (books != null) {
      JobEntry.@Nullable Counted known = counted(job);
      enter(
          job,
          known == null
              ? new JobEntry.Counted(books.tree(), books.least(job.job()), requested(job))
              : known);
    }
  }

  /** Releases the request of a waiting job. */
  void awaitNoMore(JobEntry job) {
    if (books != null) {
      leave(job);
    }
  }

  /** Returns the wanted amounts: those of the largest size if sizes change at run time. */
  private Charge requested(JobEntry job) {
    JobSpec spec = job.job();
    boolean mayGrow = elastic && spec.parallelism().isElastic();
    return books().requested(mayGrow ? spec.atSize(spec.parallelism().max()) : spec);
  }

  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  private JobEntry.@Nullable Counted counted(JobEntry job) {
    JobEntry.@Nullable Counted counted = job.counted();
    return counted == null || counted.tree() != books().tree() ? null : counted;
  }

  private void enter(JobEntry job, JobEntry.Counted counted) {
    job.setCounted(counted);
    job.account().request(counted.requested(), 1);
    version++;
  }

  private JobEntry.Counted leave(JobEntry job) {
    JobEntry.Counted counted = requireNonNull(counted(job));
    job.setCounted(null);
    job.account().request(counted.requested(), -1);
    version++;
    return counted;
  }

  /** Returns true if jobs are rejected that ask for more than their quotas ever allow. */
  public boolean rejectsBeyondQuotas() {
    return books != null && books.tree().rejectsBeyondQuotas();
  }

  /** Returns true if some queue has a guarantee that it does not lend. */
  public boolean guaranteesUnlendableQuota() {
    return books != null && !lendsQuota() && books.guaranteesUnlendableQuota();
  }

  /** Returns the counted resources, in the order of their indices. Requires a queue tree. */
  public List<QuotaResource> resources() {
    return books().tree().resources();
  }

  /** Returns true if queues lend each other their guarantees. */
  public boolean lendsQuota() {
    return books != null && reclaiming().lends();
  }

  /** Returns the charge of tasks of a running job; nothing if there is none. Requires a tree. */
  public Charge charge(@Nullable Placement tasks) {
    QueueBooks all = requireNonNull(books);
    return tasks == null ? all.nothing() : all.held(tasks, cluster.topology());
  }

  /**
   * Returns the charge of a running job, or of the smallest size of a waiting one. Requires a queue
   * tree.
   */
  public Charge charge(JobEntry job) {
    JobEntry.@Nullable Counted counted = counted(job);
    return counted == null ? books().least(job.job()) : counted.held();
  }

  /**
   * Returns true if a job that failed may start under the present quota usage and shares.
   *
   * @param preempts whether it may pre-empt jobs of its own queue
   */
  public boolean mayHelpSince(JobEntry job, boolean preempts) {
    boolean isKnown = !lendsQuota() && job.shortage().hasFailedAt(searchVersion());
    if (isKnown && preempts) {
      job.shortage().failInQueueAt(job.account().version());
    }
    return !isKnown && (admission.dependsOnOthers(job) || (preempts && !failsInQueue(job)));
  }

  /** Notes that a search for victims failed. Requires a queue tree. */
  public void noteFailure(JobEntry job) {
    job.shortage().failAt(searchVersion());
    job.shortage().failInQueueAt(job.account().version());
  }

  /** Returns true if a job is known to fail among those of its own queue. Requires a queue tree. */
  public boolean failsInQueue(JobEntry job) {
    return job.shortage().hasFailedInQueueAt(job.account().version());
  }

  /** Reads the cluster's capacity; outdates what was known of victims. */
  public void measure() {
    if (books != null) {
      books.measure(cluster);
      version++;
      measureVersion = stamps.next();
    }
  }

  /**
   * Asks a question in which waiting jobs may be {@linkplain #suppose supposed} to run, and no
   * quota is reserved. Afterwards all is as before. Requires a queue tree.
   */
  public void imagine(Runnable question) {
    QueueBooks all = requireNonNull(books);
    Map<QueueName, Charge> kept = admission.reserved();
    admission.releaseReservations();
    all.mark();
    all.forgetOrder();
    try {
      question.run();
    } finally {
      all.forgetOrder();
      supposed.forEach((job, charge) -> count(job, charge, -1));
      supposed.clear();
      all.divide();
      all.rollBack();
      admission.reserve(kept);
    }
  }

  /** Supposes that a waiting job runs at one of its sizes. */
  public void suppose(JobEntry job, JobSpec sized) {
    Charge charge = admission.certain(sized);
    count(job, charge, 1);
    supposed.put(job, charge);
  }

  /** Counts a waiting job as running, or no longer so. */
  private static void count(JobEntry job, Charge charge, int one) {
    job.account().hold(charge, job.job().isPreemptible(), one);
    job.queue().countWaiting(-one);
    job.queue().countRunning(one, one * job.job().gpus());
  }

  /** Notes that the order or set of pre-emptible jobs has changed. */
  void reorder() {
    version++;
    orderVersion = stamps.next();
  }

  /** Returns the cached losses of queues. */
  public LossCache knownLosses() {
    return knownLosses;
  }

  /** Returns a number that changes with the order of pre-emptible jobs. */
  public long orderVersion() {
    return orderVersion;
  }

  /**
   * Returns a number that changes with every input of a search for victims except free capacity.
   * Requires a queue tree.
   */
  public long searchVersion() {
    long holdings = books().holdingsVersion();
    return Math.max(holdings, Math.max(orderVersion, measureVersion));
  }

  /** Returns true if anything has changed since {@link #settle}. */
  public boolean haveChanged() {
    return version != settled;
  }

  /**
   * Marks all waiting jobs as unsettled without a change of usage: reservations for first jobs end
   * and begin in turn order.
   */
  public void lookAgain() {
    version++;
  }

  /** Returns true if every waiting class was examined since the tree was set. */
  public boolean areSettled() {
    return settled >= 0;
  }

  /** Notes that all waiting jobs were examined under the present usage. */
  public void settle() {
    settled = version;
  }

  /** Notes that a pass has stopped early under the present usage. */
  public void cut() {
    cutAt = version;
  }

  /** Returns true if nothing has changed since a pass stopped early. */
  public boolean areAsCut() {
    return version == cutAt;
  }

  /**
   * Marks all waiting jobs as examined.
   *
   * @param changed whether there was a change since
   */
  public void restoreSettled(boolean changed) {
    settled = changed ? version++ : version;
  }

  /**
   * What quotas know besides the usage, which follows from the jobs.
   *
   * @param books the books, which have a mark too; null without a tree
   * @param positions the turns of queues, if a policy orders them
   * @param reserved the {@link JobAdmission#reserved()} amounts
   * @param order the {@link #orderVersion()}
   * @param measure the number of the last reading of the cluster's capacity
   */
  record Image(
      @Nullable QueueBooks books,
      Optional<List<Integer>> positions,
      Optional<RecentUse> use,
      boolean settled,
      boolean changed,
      boolean cut,
      Map<QueueName, Charge> reserved,
      long order,
      long measure) {}

  /** Opens a mark and returns its image. */
  Image mark() {
    if (books != null) {
      books.mark();
    }
    return new Image(
        books,
        Optional.ofNullable(ordered ? books : null).map(QueueBooks::positions),
        recentUse(),
        areSettled(),
        haveChanged(),
        areAsCut(),
        admission.reserved(),
        orderVersion,
        measureVersion);
  }

  /** Ends the innermost mark; the changes since stay. */
  void commit(Image image) {
    if (image.books() != null) {
      image.books().commit();
    }
  }

  /**
   * Returns to the tree of an image and its decayed usage; returns true if the tree is another. No
   * job is counted then.
   */
  boolean rollBackTree(Image image, Instant now) {
    admission.releaseReservations();
    // A loss also depends on the jobs that a turn spares.
    knownLosses.clear();
    boolean isOther = !Objects.equals(books, image.books());
    if (isOther) {
      books = null;
      if (image.books() != null) {
        begin(image.books().tree(), now);
      }
    }
    if (!recentUse().equals(image.use())) {
      image.use().ifPresent(this::restoreUse);
    }
    return isOther;
  }

  /** Returns to an image once all jobs are counted again, and ends its mark. */
  void rollBackTo(Image image) {
    orderVersion = image.order();
    measureVersion = image.measure();
    if (books != null && image.books() != null) {
      books.divide();
      image.books().rollBack();
      books.numberAs(image.books());
      image.positions().ifPresent(books::restorePositions);
    }
    settled = -1;
    if (image.settled()) {
      restoreSettled(image.changed());
    }
    cutAt = image.cut() ? version : -1;
    admission.reserve(image.reserved());
  }
}
