package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import io.github.liquidscheduler.scheduler.job.MissingTasks;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Idea: jobs of one placement class fit or fail together, so that a class is ready or parked, and
 * released capacity is offered to the first of each class and not to every job.
 * Invariants: firsts holds exactly the first job of each class, by queue, and ready those of them
 * for which no failed attempt speaks; what is known is shared by all jobs of a class and holds for
 * ranks at or above its own; quiet marks hold for one version of quotas and of jobs. RetryLaws and
 * QueueRetryLaws.
 * Cost: add and remove O(log jobs of the class), plus O(log classes) if the first changes; a walk
 * O(queues) to begin. EventBench, whose jobs are all of different classes, is the worst case.
 */
/**
 * The waiting jobs of each placement class in turn order, and the first of each class in turn order
 * too. A class is ready to be tried, or parked since an attempt failed, which speaks for the jobs
 * behind it. Where jobs pre-empt, it does not speak for those of lower rank.
 */
public final class WaitingClasses {

  // Iterated in no order that matters.
  private final Map<PlacementClass, Peers> classes = new HashMap<>();
  private final Map<JobQueue, OfQueue> firsts = new LinkedHashMap<>();
  // The first jobs that may share GPUs, by kind of co-runner.
  private final Map<CoRunnerKind, OrderedJobs> sharing = new LinkedHashMap<>();
  private final TurnOrderedJobs ready = new TurnOrderedJobs();
  private final ClassImages images;
  private final Agenda agenda;
  private final boolean ranksDecide;
  private @Nullable OrderedJobs emptied;

  /**
   * Makes empty classes.
   *
   * @param images keeps before-images of what is known of classes
   * @param ranksDecide whether a job may start though one of its class and of higher rank failed
   */
  WaitingClasses(ClassImages images, Agenda agenda, boolean ranksDecide) {
    this.images = images;
    this.agenda = agenda;
    this.ranksDecide = ranksDecide;
  }

  /** The waiting jobs of one class, and their shortage. */
  private record Peers(OrderedJobs jobs, MissingTasks shortage) {}

  /**
   * The quiet mark of a queue.
   *
   * @param at the version of quotas for which it holds
   * @param hasSameJobs whether the first jobs are still those for which it holds
   */
  record Quiet(long at, boolean hasSameJobs) {
    /** The mark of a queue without waiting jobs. */
    static final Quiet NEVER = new Quiet(OfQueue.NEVER, false);
  }

  /** The first job of each class of a queue, in the order of their turns. */
  public static final class OfQueue {

    private static final long NEVER = -1;

    private final OrderedJobs jobs;
    private final ClassImages images;
    private long quietAt = NEVER;
    private int quietWith;
    private final LeastCharge least = new LeastCharge();

    private OfQueue(OrderedJobs jobs, ClassImages images) {
      this.jobs = jobs;
      this.images = images;
    }

    /** Keeps the mark of the queue before it or the first jobs change. */
    private void saveBefore(JobQueue queue) {
      images.saveBefore(queue.name(), () -> new Quiet(quietAt, quietWith == jobs.version()));
    }

    /** Returns the account of the queue. Requires a queue tree. */
    QueueAccount account() {
      return jobs.first().account();
    }

    /** Returns the least amounts that any of the jobs charges. */
    Charge least(Function<JobEntry, Charge> charges) {
      return least.of(charges);
    }

    private void rollBackTo(Quiet then) {
      quietAt = then.at();
      quietWith = then.hasSameJobs() ? jobs.version() : jobs.version() - 1;
    }

    /** Returns the jobs that are candidates: all, or the first where no job bypasses another. */
    public Iterable<JobEntry> candidates() {
      return jobs.first().queue().isStrict() ? List.of(jobs.first()) : jobs;
    }

    /**
     * Returns true if only capacity on nodes, and the quotas of the queue and its ancestors, can
     * still decide whether a job of the queue starts.
     */
    public boolean isQuiet() {
      return quietAt == quotaVersion() && quietWith == jobs.version();
    }

    /** Sets whether that holds now. */
    public void noteQuiet(boolean isQuiet) {
      saveBefore(jobs.first().queue());
      quietAt = isQuiet ? quotaVersion() : NEVER;
      quietWith = jobs.version();
    }

    private long quotaVersion() {
      return account().admissionVersion();
    }
  }

  void add(JobEntry job) {
    Peers all =
        classes.computeIfAbsent(
            job.placementClass(),
            each -> new Peers(emptied(), new MissingTasks(each, images::saveBefore)));
    OrderedJobs peers = all.jobs();
    job.lack(all.shortage());
    @Nullable JobEntry before = peers.isEmpty() ? null : peers.first();
    if (before != null && JobOrders.RANK.compare(job, before) < 0) {
      lead(all, job, before);
    }
    peers.add(job);
    replaceFirst(before, peers.first());
  }

  /** Notes that a job comes before the first of its class. */
  private void lead(Peers all, JobEntry job, JobEntry before) {
    if (job.rank() < before.rank()) {
      all.shortage().ask(before.rank());
    }
    if (agenda.hasGrown()) {
      // The walk that asks about pending growth may have come past the job.
      all.shortage().wake();
    }
  }

  void remove(JobEntry job) {
    Peers all = Objects.requireNonNull(classes.get(job.placementClass()));
    OrderedJobs peers = all.jobs();
    JobEntry before = peers.first();
    peers.remove(job);
    if (!peers.isEmpty()) {
      all.shortage().parkFromAtLeast(peers.first().rank());
    }
    replaceFirst(before, peers.isEmpty() ? null : peers.first());
    if (peers.isEmpty()) {
      classes.remove(job.placementClass());
      images.removed(job.placementClass(), all.shortage());
      emptied = peers;
    }
  }

  /** Returns the first jobs of the ready classes in turn order; live. */
  public TurnOrderedJobs ready() {
    return ready;
  }

  /** Parks a waiting job that failed, and the jobs of its class behind it. */
  public void park(JobEntry job) {
    Peers all = Objects.requireNonNull(classes.get(job.placementClass()));
    if (agenda.hasGrown()) {
      // An attempt that failed for want of quota, or out of its turn, has counted nothing.
      all.shortage().forgetUncounted(agenda.nextGrowth());
    }
    all.shortage().park(job.rank(), agenda.facts());
    review(all);
  }

  /** Takes a job out of those that are ready, until its class is made ready again or parked. */
  public void postpone(JobEntry job) {
    job.shortage().keep();
    ready.remove(job);
  }

  /** Returns the first job of a job's class for which a failed attempt speaks, if there is one. */
  public Optional<JobEntry> firstParked(JobEntry job) {
    Peers all = Objects.requireNonNull(classes.get(job.placementClass()));
    for (JobEntry peer : all.jobs()) {
      if (isParked(peer)) {
        return Optional.of(peer);
      }
    }
    return Optional.empty();
  }

  /** Parks a job, and those of its class behind it, as if it had failed before every fact. */
  public void parkBeforeFacts(JobEntry job) {
    Peers all = Objects.requireNonNull(classes.get(job.placementClass()));
    all.shortage().park(job.rank(), -1);
    review(all);
  }

  /** Makes a class ready; returns false if no job of it waits. */
  public boolean wake(PlacementClass placementClass) {
    @Nullable Peers all = classes.get(placementClass);
    if (all != null) {
      all.shortage().wake();
      review(all);
    }
    return all != null;
  }

  /** Returns true if a waiting job is parked, and pending facts came after its failed attempt. */
  public boolean mayBeHelped(JobEntry job) {
    return isParked(job) && !job.shortage().hasSeen(agenda.facts());
  }

  /** Returns true if a failed attempt speaks for a waiting job. */
  public boolean isParked(JobEntry job) {
    // Each waiting job has the shortage of its class.
    MissingTasks known = job.shortage();
    return known.isParked() && !(ranksDecide && job.rank() < known.parkedFrom());
  }

  private void review(Peers all) {
    JobEntry first = all.jobs().first();
    if (isParked(first)) {
      ready.remove(first);
    } else {
      ready.add(first);
    }
  }

  /** Reviews a class after a rollback of what is known of it. */
  void review(MissingTasks known) {
    @Nullable Peers all = known.of() == null ? null : classes.get(known.of());
    if (all != null && all.shortage().equals(known)) {
      review(all);
    }
  }

  /** Restores what was known of a class, which outer marks may know too, if jobs of it wait. */
  void putBack(PlacementClass placementClass, MissingTasks known) {
    @Nullable Peers peers = classes.get(placementClass);
    if (peers != null) {
      peers.jobs().forEach(job -> job.lack(known));
      classes.put(placementClass, new Peers(peers.jobs(), known));
      review(known);
    }
  }

  /** Restores the quiet marks of queues. */
  void rollBackQuiet(Map<QueueName, Quiet> marks) {
    if (!marks.isEmpty()) {
      firsts.forEach(
          (queue, first) -> {
            @Nullable Quiet then = marks.get(queue.name());
            if (then != null) {
              first.rollBackTo(then);
            }
          });
    }
  }

  /** Returns an empty list, reused if possible. */
  private OrderedJobs emptied() {
    OrderedJobs peers = emptied == null ? new OrderedJobs() : emptied;
    emptied = null;
    return peers;
  }

  private void replaceFirst(@Nullable JobEntry before, @Nullable JobEntry now) {
    if (before == now) {
      return;
    }
    @Nullable JobQueue queue = before == null ? null : before.queue();
    queue = now == null ? queue : now.queue();
    @Nullable JobEntry head = headOf(queue);
    exchange(before, now);
    @Nullable JobEntry next = headOf(queue);
    if (next != null && !next.equals(head)) {
      tryAsHead(next);
    }
  }

  /** Returns the first waiting job of a queue in which no job bypasses another; else null. */
  private @Nullable JobEntry headOf(@Nullable JobQueue queue) {
    @Nullable OfQueue known = queue == null || !queue.isStrict() ? null : firsts.get(queue);
    return known == null ? null : known.jobs.first();
  }

  /** Makes the class of a new head ready, for which no growth was counted while it was behind. */
  private void tryAsHead(JobEntry head) {
    Peers all = Objects.requireNonNull(classes.get(head.placementClass()));
    all.shortage().clear();
    all.shortage().exceed(false);
    all.shortage().wake();
    review(all);
  }

  private void exchange(@Nullable JobEntry before, @Nullable JobEntry now) {
    if (before != null) {
      ready.remove(before);
      OfQueue queue = Objects.requireNonNull(firsts.get(before.queue()));
      queue.saveBefore(before.queue());
      queue.jobs.remove(before);
      queue.least.remove(before);
      if (queue.jobs.isEmpty() && now == null) {
        firsts.remove(before.queue());
      }
      @Nullable CoRunnerKind kind = before.placementClass().sharesAs();
      if (kind != null) {
        OrderedJobs alike = Objects.requireNonNull(sharing.get(kind));
        alike.remove(before);
        if (alike.isEmpty()) {
          sharing.remove(kind);
        }
      }
    }
    if (now != null) {
      if (!isParked(now)) {
        ready.add(now);
      }
      @Nullable OfQueue known = firsts.get(now.queue());
      if (known == null) {
        images.saveBefore(now.queue().name(), () -> Quiet.NEVER);
        known = new OfQueue(new OrderedJobs(), images);
        firsts.put(now.queue(), known);
      } else {
        known.saveBefore(now.queue());
      }
      known.jobs.add(now);
      known.least.add(now);
      @Nullable CoRunnerKind kind = now.placementClass().sharesAs();
      if (kind != null) {
        sharing.computeIfAbsent(kind, each -> new OrderedJobs()).add(now);
      }
    }
  }

  OrderedJobs peers(JobEntry job) {
    return Objects.requireNonNull(classes.get(job.placementClass())).jobs();
  }

  /** Returns the first waiting job of a class. */
  public Optional<JobEntry> first(PlacementClass placementClass) {
    return Optional.ofNullable(classes.get(placementClass)).map(peers -> peers.jobs().first());
  }

  /** Returns the first job of each class in an arbitrary order, as a copy. */
  public List<JobEntry> firsts() {
    List<JobEntry> all = new ArrayList<>();
    firsts.values().forEach(queue -> queue.jobs.forEach(all::add));
    return all;
  }

  /** Returns the first jobs that are candidates in an arbitrary order, as a copy. */
  public List<JobEntry> candidates() {
    List<JobEntry> all = new ArrayList<>();
    firsts.values().forEach(queue -> queue.candidates().forEach(all::add));
    return all;
  }

  /** Returns the first jobs by queue. */
  public Collection<OfQueue> byQueue() {
    return Collections.unmodifiableCollection(firsts.values());
  }

  /** Returns the first jobs of a first job's queue. */
  public OfQueue ofQueueOf(JobEntry first) {
    return Objects.requireNonNull(firsts.get(first.queue()));
  }

  /** Returns the kinds of sharing jobs, in the order of their first jobs. */
  public Map<CoRunnerKind, JobSpec> sharing() {
    List<Map.Entry<CoRunnerKind, OrderedJobs>> kinds = new ArrayList<>(sharing.entrySet());
    kinds.sort(Comparator.comparing(kind -> kind.getValue().first(), JobOrders.RANK));
    Map<CoRunnerKind, JobSpec> first = new LinkedHashMap<>();
    kinds.forEach(kind -> first.put(kind.getKey(), kind.getValue().first().job()));
    return first;
  }

  /**
   * Returns a walk over the first job of each class, from this rank on.
   *
   * @param after the sequence number up to which jobs of the rank are skipped; -1 for none
   */
  public ClassWalk walkFrom(long rank, long after) {
    return new ClassWalk(
        firsts.values().stream().map(queue -> queue.jobs.from(rank, after)).toList());
  }
}
