package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The running jobs that a waiting one may stop where queues lend quota, before borrowed amounts are
 * compared: jobs of its own queue and of borrowers that hold a needed resource, as {@link
 * QueuePreemption} allows. Ordered by priority, then last start first.
 */
final class LendingCandidates {

  private static final Comparator<JobEntry> LAST_FIRST =
      Comparator.comparing(JobEntry::since).thenComparingLong(JobEntry::sequence).reversed();

  private static final Comparator<JobEntry> ORDER =
      Comparator.<JobEntry>comparingInt(job -> job.job().priority()).thenComparing(LAST_FIRST);

  private final JobTable table;
  private final JobEntry winner;
  private final LentQuota quota;
  private final Predicate<JobEntry> isSpared;
  private final ResourceLoss losses;
  private final List<JobEntry> own = new ArrayList<>();
  private final Map<QueueAccount, List<JobEntry>> others = new LinkedHashMap<>();

  LendingCandidates(
      JobTable table, JobEntry winner, LentQuota quota, Predicate<JobEntry> isSpared) {
    this.table = table;
    this.winner = winner;
    this.quota = quota;
    this.isSpared = isSpared;
    losses = new ResourceLoss(table);
    table.running().preemptibleByQueue().forEach(this::add);
  }

  private void add(QueueAccount queue, Stream<JobEntry> jobs) {
    boolean isOwn = queue.equals(winner.account());
    Victims allowed = isOwn ? rules().own() : rules().others();
    if (allowed == Victims.NEVER || !(isOwn || quota.borrows(queue))) {
      return;
    }
    List<JobEntry> found =
        jobs.filter(job -> isAllowed(allowed, job))
            .filter(job -> quota.holdsNeeded(table.quotas().charge(job)))
            .filter(job -> !isSpared.test(job))
            .sorted(ORDER)
            .toList();
    if (isOwn) {
      own.addAll(found);
    } else if (!found.isEmpty()) {
      others.put(queue, found);
    }
  }

  private QueuePreemption rules() {
    return winner.account().preemption();
  }

  private boolean isAllowed(Victims allowed, JobEntry victim) {
    int difference = Integer.compare(victim.job().priority(), winner.job().priority());
    return switch (allowed) {
      case NEVER -> false;
      case LOWER_PRIORITY -> difference < 0;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
          difference < 0 || (difference == 0 && victim.sequence() > winner.sequence());
      case ANY -> true;
    };
  }

  /** Returns true if a job of another queue may be stopped although the winner borrows. */
  boolean isAllowedWhileBorrowing(JobEntry victim) {
    int priority = victim.job().priority();
    return rules().whileBorrowing().filter(most -> priority <= most).isPresent()
        && priority < winner.job().priority();
  }

  boolean isEmpty() {
    return own.isEmpty() && others.isEmpty();
  }

  /** Returns true if all candidates are of the winner's own queue. */
  boolean areAllOwn() {
    return others.isEmpty();
  }

  /** Returns the candidates of the winner's own queue, in order. */
  Iterator<? extends EvictionSearch.Candidate> own() {
    return losses.of(own.iterator());
  }

  /** Returns the candidates of the selected queues, in order. */
  List<JobEntry> ofQueues(Predicate<QueueAccount> kind) {
    List<JobEntry> jobs = new ArrayList<>();
    others.forEach((queue, found) -> jobs.addAll(kind.test(queue) ? found : List.of()));
    jobs.sort(ORDER);
    return jobs;
  }

  /** Returns the other queues with candidates. */
  Iterable<QueueAccount> queues() {
    return others.keySet();
  }
}
