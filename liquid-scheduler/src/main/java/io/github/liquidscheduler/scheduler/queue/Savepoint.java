package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.quota.RecentUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Before-images of what a turn changes in a {@link JobTable}: each job as it was before its first
 * change. A turn costs O(changed jobs); only the way back costs O(jobs).
 */
final class Savepoint {

  /** A job before the turn; no entry if it did not exist. */
  private record BeforeImage(
      @Nullable JobEntry entry, BatchedJobs.@Nullable Membership membership) {}

  private final Map<JobId, BeforeImage> images = new LinkedHashMap<>();
  private Instant now = Instant.MIN;
  private long submissions;
  private long ended;
  private long requests;
  private WindowPhase phase = new WindowPhase.Idle();
  private @Nullable JobId blocked;
  private @Nullable RetryState open;
  private Optional<QueueTree> tree = Optional.empty();
  private Optional<RecentUse> use = Optional.empty();
  private boolean unfinished;
  private ElasticJobs.Known elastic = ElasticJobs.Known.NOTHING;

  /** Begins a turn of a table. */
  void begin(JobTable table) {
    images.clear();
    now = table.now();
    submissions = table.submissions();
    ended = table.ended().count();
    requests = table.batched().requests();
    phase = table.batched().phase();
    @Nullable JobEntry head = table.changes().blocked();
    blocked = head == null ? null : head.id();
    open = table.changes().isOpen() ? table.changes().saved() : null;
    elastic = table.knownOfElastic();
    tree = table.quotas().tree();
    use = table.quotas().recentUse();
    unfinished = table.quotas().areUnfinished();
  }

  /** Returns the tree of queues, if there was one. */
  Optional<QueueTree> tree() {
    return tree;
  }

  /** Notes that a job did not exist. */
  void saveAbsence(JobId job) {
    images.put(job, new BeforeImage(null, null));
  }

  /** Saves a job before its first change in this turn. */
  void saveBefore(JobEntry job, BatchedJobs.@Nullable Membership membership) {
    if (!images.containsKey(job.id())) {
      images.put(job.id(), new BeforeImage(job.copy(), membership));
    }
  }

  /** Saves a running job that ends; without a copy, since it never changes again. */
  void saveEnding(JobEntry job, BatchedJobs.@Nullable Membership membership) {
    images.putIfAbsent(job.id(), new BeforeImage(job, membership));
  }

  /** Returns true if no job has arrived or changed in this turn. */
  boolean isUntouched() {
    return images.isEmpty();
  }

  /** Returns the number of ended jobs. */
  long ended() {
    return ended;
  }

  /** Restores the jobs and other state of {@code table} into the empty {@code then}. */
  void restore(JobTable table, JobTable then) {
    then.restoreClock(now, submissions);
    List<JobEntry> running = new ArrayList<>(table.running().inOrder());
    List<JobEntry> waiting = new ArrayList<>(table.allWaiting());
    running.removeIf(job -> images.containsKey(job.id()));
    waiting.removeIf(job -> images.containsKey(job.id()));
    for (BeforeImage each : images.values()) {
      if (each.entry() != null) {
        (each.entry().isRunning() ? running : waiting).add(each.entry());
      }
    }
    running.sort(Comparator.comparingLong(JobEntry::start));
    running.forEach(then::restoreRunning);
    for (JobEntry job : waiting) {
      @Nullable BeforeImage image = images.get(job.id());
      then.restoreWaiting(job, image == null ? table.batched().stage(job) : image.membership());
    }
    then.batched().restore(requests, phase);
    then.changes().block(blocked == null ? null : then.find(blocked));
    if (open != null) {
      then.changes().copyFrom(open, job -> job == null ? null : then.find(job.id()));
    }
    then.restoreElastic(elastic);
    use.ifPresent(then.quotas()::restoreUse);
    then.quotas().leaveUnfinished(unfinished);
  }
}
