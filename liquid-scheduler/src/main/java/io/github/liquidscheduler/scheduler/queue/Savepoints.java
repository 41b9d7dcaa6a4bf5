package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.moves.RecentMoves;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Idea: what has changed since a mark is known by job: before its first change a job leaves a
 * before-image, and small values are kept whole. A rollback takes the changed jobs out, wherever a
 * failure has left them, and puts them back as they were.
 * Invariants: every order is a function of keys that images hold; before a job's first change after
 * a mark the mark has its image. SchedulerLaws and JobTableTest check rollbacks.
 * Cost: a mark O(1) unless an unfinished pass is saved; a rollback as many transitions as jobs have
 * changed.
 * Rejected: an inverse of each step, since a step that fails half-way has none.
 */
/** The marks of a table and the way back to them. Marks nest. */
public final class Savepoints {

  private final JobTable table;
  private final JobIndexes indexes;
  private final JobQueues queues;
  private final ClusterState cluster;
  private final Quotas quotas;
  // Innermost first.
  private final Deque<Savepoint> marks = new ArrayDeque<>();

  Savepoints(JobTable table, JobIndexes indexes, JobQueues queues) {
    this.table = table;
    this.indexes = indexes;
    this.queues = queues;
    cluster = table.cluster();
    quotas = table.quotas();
  }

  /** Opens a mark, to which a rollback returns. Marks nest. */
  public void mark() {
    marks.push(Savepoint.of(table));
    table.images().mark();
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    Savepoint done = marks.pop();
    table.images().commit();
    quotas.commit(done.quotas());
    if (marks.isEmpty()) {
      table.ended().settle();
    } else {
      marks.element().absorb(done);
    }
  }

  /**
   * Begins to return to the innermost mark: takes all jobs out that have arrived or changed since,
   * wherever a failure has left them. Nodes may then return to their state at the mark.
   */
  public void takeOutChanged() {
    table.eligible().byClass().ready().reorder();
    for (JobId id : marks.element().changed()) {
      @Nullable JobEntry job = table.find(id);
      if (job != null) {
        takeOut(job);
      }
    }
  }

  private void takeOut(JobEntry job) {
    if (job.isOrdered()) {
      indexes.dequeue(job);
    }
    if (table.running().contains(job)) {
      indexes.removeRunning(job);
    }
    if (cluster.placement(job.id()).isPresent()) {
      cluster.release(job.id());
    }
    table.stopping().remove(job);
    table.batched().remove(job);
    table.remove(job);
    queues.forgetIfEmpty(job.queue());
  }

  /**
   * Returns to the innermost mark and ends it, after {@link #takeOutChanged}.
   *
   * @param otherNodes whether nodes, or their health, have changed since
   */
  public void rollBack(boolean otherNodes) {
    Savepoint then = marks.pop();
    table.restoreClock(then.now(), then.submissions());
    table.ended().rollBackTo(then.ended());
    if (otherNodes) {
      table.running().renumberNodes(cluster.topology());
    }
    if (quotas.rollBackTree(then.quotas(), table.now())) {
      queues.clear();
      table.running().groupByQueue(quotas.hasQueueTree());
    }
    if (otherNodes || quotas.hasQueueTree()) {
      quotas.measure();
    }
    for (Savepoint.BeforeImage image : then.jobs()) {
      putBack(image.restored(), image);
    }
    table.batched().restore(then.requests(), then.phase());
    table.batched().leaveOpen(then.openPlan());
    table.agenda().rollBackTo(then.agenda());
    table.restoreElastic(then.elastic());
    table.remember(then.moves());
    table.images().rollBack(table.eligible().byClass());
    quotas.rollBackTo(then.quotas());
    if (table.policy().queueOrder().isEmpty()) {
      queues.arrange();
    } else {
      // A policy that orders queues is not asked, since it may be what has failed.
      table.eligible().byClass().ready().reorder();
    }
  }

  private void putBack(JobEntry job, Savepoint.BeforeImage image) {
    table.add(job);
    indexes.settleIn(job, queues.queueOf(job.job()), image.membership());
    if (job.isRunning()) {
      cluster.putBack(job.job(), job.placement().orElseThrow(), image.arrival());
      table.running().putBack(job);
      quotas.hold(job);
    }
    indexes.enqueue(job);
  }

  /** Returns the time of the last turn. */
  public Instant lastTurn() {
    return marks.isEmpty() ? table.now() : marks.element().now();
  }

  /** Keeps a job as it is before its first change since the innermost mark. */
  void saveBefore(JobEntry job) {
    if (!marks.isEmpty() && marks.element().isUntouched(job.id())) {
      save(job, job.copy());
    }
  }

  /** Saves a running job that ends; without a copy, since it never changes again. */
  void saveEnding(JobEntry job) {
    if (!marks.isEmpty() && marks.element().isUntouched(job.id())) {
      save(job, job);
    }
  }

  /** Keeps that no job has this id. */
  void saveAbsence(JobId job) {
    if (!marks.isEmpty()) {
      marks.element().saveAbsence(job);
    }
  }

  private void save(JobEntry job, JobEntry fields) {
    long arrival = job.isRunning() ? cluster.arrival(job.id()) : 0;
    marks
        .element()
        .save(
            job.id(), new Savepoint.BeforeImage(job, fields, table.batched().stage(job), arrival));
  }

  /**
   * A mark: the small values as they were, and each job as it was before its first change since. A
   * mark costs O(1) unless an earlier event has left growth to ask about, and each changed job one
   * copy of its fields.
   *
   * @param images the jobs that have arrived or changed since, by id; added to
   */
  private record Savepoint(
      Map<JobId, BeforeImage> images,
      Instant now,
      long submissions,
      long ended,
      long requests,
      WindowPhase phase,
      BatchedJobs.@Nullable OpenPlan openPlan,
      RecentMoves moves,
      Agenda agenda,
      ElasticJobs.Known elastic,
      Quotas.Image quotas) {

    /**
     * A job at the mark.
     *
     * @param job the job; null if none had this id
     * @param fields the job's fields then; the job itself if it never changes again
     * @param arrival its number of arrival in the cluster; 0 if it did not run
     */
    record BeforeImage(
        @Nullable JobEntry job,
        @Nullable JobEntry fields,
        BatchedJobs.@Nullable Membership membership,
        long arrival) {

      static final BeforeImage ABSENT = new BeforeImage(null, null, null, 0);

      boolean wasThere() {
        return job != null;
      }

      /** Returns the job, with its fields of then. There was one. */
      JobEntry restored() {
        JobEntry same = Objects.requireNonNull(job);
        JobEntry then = Objects.requireNonNull(fields);
        if (!then.equals(same)) {
          same.rollBackTo(then);
        }
        return same;
      }
    }

    /** Opens a mark of a table. */
    static Savepoint of(JobTable table) {
      return new Savepoint(
          new LinkedHashMap<>(),
          table.now(),
          table.submissions(),
          table.ended().count(),
          table.batched().requests(),
          table.batched().phase(),
          table.batched().openPlan(),
          table.moves(),
          table.agenda().image(),
          table.knownOfElastic(),
          table.quotas().mark());
    }

    /** Notes that there was no job of this id, unless there was one at the mark. */
    void saveAbsence(JobId job) {
      images.putIfAbsent(job, BeforeImage.ABSENT);
    }

    /** Returns true if the job of this id has no image yet. */
    boolean isUntouched(JobId job) {
      return !images.containsKey(job);
    }

    void save(JobId job, BeforeImage image) {
      images.put(job, image);
    }

    /** Takes over the images of a later mark that ends. */
    void absorb(Savepoint later) {
      later.images.forEach(images::putIfAbsent);
    }

    /** Returns the ids of the jobs that have arrived or changed since. */
    Collection<JobId> changed() {
      return images.keySet();
    }

    /**
     * Returns the jobs at the mark that have changed since: the waiting ones, then the running ones
     * in the order of their starts.
     */
    List<BeforeImage> jobs() {
      List<BeforeImage> jobs = new ArrayList<>(images.values());
      jobs.removeIf(image -> !image.wasThere());
      jobs.sort(
          Comparator.comparing((BeforeImage image) -> fields(image).isRunning())
              .thenComparingLong(image -> fields(image).start()));
      return jobs;
    }

    private static JobEntry fields(BeforeImage image) {
      return Objects.requireNonNull(image.fields());
    }
  }
}
