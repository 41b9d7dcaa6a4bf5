package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
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
import org.jspecify.annotations.Nullable;

/*
 * Idea: jobs of one placement class fit or fail together, so that released capacity is offered to
 * the first of each class and not to every job.
 * Invariants: firsts holds exactly the first job of each class, by queue; the shortage is shared
 * by all jobs of a class and holds for ranks at or above its own; quiet marks hold for one version
 * of quotas and of jobs. RetryLaws and QueueRetryLaws.
 * Cost: add and remove O(log jobs of the class), plus O(log classes) if the first changes; a walk
 * O(queues) to begin. EventBench, whose jobs are all of different classes, is the worst case.
 */
/**
 * The waiting jobs of each placement class in turn order, and the first of each class in turn order
 * too, so that released capacity is offered to classes and not to jobs.
 */
public final class WaitingClasses {

  // Iterated in no order that matters.
  private final Map<PlacementClass, Peers> classes = new HashMap<>();
  private final Map<JobQueue, OfQueue> firsts = new LinkedHashMap<>();
  // The first jobs that may share GPUs, by kind of co-runner.
  private final Map<CoRunnerKind, OrderedJobs> sharing = new LinkedHashMap<>();
  private final ClassImages images;
  private @Nullable OrderedJobs emptied;

  /** Makes empty classes whose shortages have before-images. */
  WaitingClasses(ClassImages images) {
    this.images = images;
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

    private OfQueue(OrderedJobs jobs, ClassImages images) {
      this.jobs = jobs;
      this.images = images;
    }

    /** Keeps the mark of the queue before it or the first jobs change. */
    private void saveBefore(JobQueue queue) {
      images.saveBefore(queue.name(), () -> new Quiet(quietAt, quietWith == jobs.version()));
    }

    private void rollBackTo(Quiet then) {
      quietAt = then.at();
      quietWith = then.hasSameJobs() ? jobs.version() : jobs.version() - 1;
    }

    /** Returns the jobs. */
    public Iterable<JobEntry> jobs() {
      return jobs;
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
      return jobs.first().account().admissionVersion();
    }
  }

  void add(JobEntry job) {
    Peers all =
        classes.computeIfAbsent(
            job.placementClass(), each -> new Peers(emptied(), new MissingTasks(images)));
    OrderedJobs peers = all.jobs();
    job.lack(all.shortage());
    @Nullable JobEntry before = peers.isEmpty() ? null : peers.first();
    if (before != null && job.rank() < before.rank()) {
      all.shortage().ask(before.rank());
    }
    peers.add(job);
    replaceFirst(before, peers.first());
  }

  void remove(JobEntry job) {
    OrderedJobs peers = peers(job);
    JobEntry before = peers.first();
    peers.remove(job);
    replaceFirst(before, peers.isEmpty() ? null : peers.first());
    if (peers.isEmpty()) {
      Peers gone = Objects.requireNonNull(classes.remove(job.placementClass()));
      images.removed(job.placementClass(), gone.shortage());
      emptied = peers;
    }
  }

  /** Restores the shortage of a class, if jobs of it wait. */
  void putBack(PlacementClass placementClass, MissingTasks shortage) {
    @Nullable Peers peers = classes.get(placementClass);
    if (peers != null) {
      peers.shortage().become(shortage);
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
    if (before != null) {
      OfQueue queue = Objects.requireNonNull(firsts.get(before.queue()));
      queue.saveBefore(before.queue());
      queue.jobs.remove(before);
      if (queue.jobs.isEmpty()) {
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
      @Nullable OfQueue known = firsts.get(now.queue());
      if (known == null) {
        images.saveBefore(now.queue().name(), () -> Quiet.NEVER);
        known = new OfQueue(new OrderedJobs(), images);
        firsts.put(now.queue(), known);
      } else {
        known.saveBefore(now.queue());
      }
      known.jobs.add(now);
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
    kinds.sort(Comparator.comparing(kind -> kind.getValue().first(), JobEntry.RANK));
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
