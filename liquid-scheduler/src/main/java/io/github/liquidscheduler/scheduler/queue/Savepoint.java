package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.moves.RecentMoves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A mark of a {@link JobTable}: its small values as they were, and each job as it was before its
 * first change since. A mark costs O(1) unless an earlier event has left growth to ask about, and
 * each changed job one copy of its fields.
 *
 * @param images the jobs that have arrived or changed since, by id; added to
 */
record Savepoint(
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
