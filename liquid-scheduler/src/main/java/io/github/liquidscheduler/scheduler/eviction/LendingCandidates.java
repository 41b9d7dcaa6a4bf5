package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final RuleContext context;
  private final JobEntry winner;
  private final LentQuota quota;
  private final ResourceLoss losses;
  private final List<JobEntry> own = new ArrayList<>();
  private final Map<QueueAccount, List<JobEntry>> others = new LinkedHashMap<>();

  LendingCandidates(RuleContext context, LentQuota quota) {
    this.context = context;
    winner = context.winner();
    this.quota = quota;
    losses = new ResourceLoss(context.table());
    context.table().running().preemptibleByQueue().forEach(this::add);
  }

  private void add(QueueAccount queue, Stream<JobEntry> jobs) {
    boolean isOwn = queue.equals(winner.account());
    Victims allowed = isOwn ? rules().own() : rules().others();
    if (allowed == Victims.NEVER || !(isOwn || quota.borrows(queue))) {
      return;
    }
    List<JobEntry> found =
        jobs.filter(job -> isAllowed(allowed, job))
            .filter(job -> quota.holdsNeeded(context.quotas().charge(job)))
            .filter(job -> !context.spared().test(job))
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
  List<JobEntry> own() {
    return own;
  }

  /** Returns what candidates lose, in order, under a rule; empty for the own queue. */
  Deque<Victim> victims(List<JobEntry> jobs, Optional<ReclaimRule> rule, HypotheticalUsage use) {
    Deque<Victim> victims = new ArrayDeque<>();
    losses
        .of(jobs.iterator())
        .forEachRemaining(
            lost -> victims.add(new Victim(lost, losses.charge(lost), rule, use::hold)));
    return victims;
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
