package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps independent books of the GPUs that queues lend each other, from events and decisions alone,
 * by the rules of Kueue's documentation. Fails at the first start beyond the lent quota and at the
 * first eviction that its own rule does not justify. All amounts are GPUs.
 */
final class LendingLedger {

  private static final double TINY = 1e-6;

  private final Map<JobId, JobSpec> jobs = new HashMap<>();
  private final Map<JobId, Integer> order = new HashMap<>();
  private final Map<JobId, Double> held = new LinkedHashMap<>();
  private @Nullable QueueTree tree;
  private int evictions;

  /** Returns the number of jobs taken from other queues so far. */
  int evictions() {
    return evictions;
  }

  void enter(ClusterEvent event, List<Decision> decisions) {
    switch (event) {
      case ClusterEvent.QueuesChanged changed -> tree = changed.tree();
      case ClusterEvent.JobSubmitted submitted -> {
        jobs.put(submitted.job(), submitted.spec());
        order.put(submitted.job(), order.size());
      }
      case ClusterEvent.JobUpdated updated -> jobs.put(updated.job(), updated.spec());
      case ClusterEvent.JobFinished finished -> held.remove(finished.job());
      case ClusterEvent.JobCancelled cancelled -> held.remove(cancelled.job());
      case ClusterEvent.JobFailed failed -> held.remove(failed.job());
      default -> {}
    }
    for (int n = 0; n < decisions.size(); n++) {
      carryOut(decisions.get(n), decisions.subList(n + 1, decisions.size()));
    }
  }

  private void carryOut(Decision decision, List<Decision> later) {
    if (decision instanceof Decision.Preempt preempt) {
      judge(preempt, later);
      held.remove(preempt.job());
    } else if (decision instanceof Decision.Start start) {
      requireLent(job(start.job()).queue(), gpus(start.placement()), start.job());
      held.put(start.job(), gpus(start.placement()));
    }
  }

  private static double gpus(Placement placement) {
    return placement.tasks().stream()
        .mapToDouble(
            task ->
                task.request().gpus()
                    * (task.request().share().orElse(GpuShare.WHOLE).thousandths() / 1000.0))
        .sum();
  }

  private void judge(Decision.Preempt preempt, List<Decision> later) {
    JobSpec victim = job(preempt.job());
    if (preempt.why() instanceof Reason.Reclaimed reclaimed) {
      evictions++;
      JobSpec winner = job(reclaimed.winner());
      assertThat(victim.isPreemptible()).isTrue();
      assertThat(victim.queue()).isEqualTo(reclaimed.from()).isNotEqualTo(reclaimed.by());
      requireLoan(reclaimed);
      requireRight(reclaimed, victim, winner, later);
    } else if (preempt.why() instanceof Reason.PreemptedByPriority priority) {
      JobSpec winner = job(priority.winner());
      assertThat(victim.isPreemptible()).isTrue();
      assertThat(victim.queue()).isEqualTo(winner.queue());
      requireAllowed(rules(winner).own(), victim, winner);
    }
  }

  private QueuePreemption rules(JobSpec job) {
    return spec(job.queue()).preemption();
  }

  private void requireAllowed(Victims allowed, JobSpec victim, JobSpec winner) {
    boolean isLower = victim.priority() < winner.priority();
    boolean isNewer =
        victim.priority() == winner.priority() && number(victim.id()) > number(winner.id());
    boolean isAllowed =
        switch (allowed) {
          case NEVER -> false;
          case LOWER_PRIORITY -> isLower;
          case LOWER_OR_NEWER_EQUAL_PRIORITY -> isLower || isNewer;
          case ANY -> true;
        };
    assertThat(isAllowed).as("%s for %s by %s", victim.id(), winner.id(), allowed).isTrue();
  }

  private int number(JobId job) {
    return Objects.requireNonNull(order.get(job));
  }

  /** A queue that loses something borrows it, and so do its ancestors up to the taker. */
  private void requireLoan(Reason.Reclaimed reclaimed) {
    List<QueueName> losers = path(reclaimed.from());
    int level = partingLevel(losers, path(reclaimed.by()));
    assertThat(level)
        .as("%s and %s are in one tree", reclaimed.from(), reclaimed.by())
        .isPositive();
    for (QueueName queue : losers.subList(level, losers.size())) {
      assertThat(used(queue)).as("what %s uses", queue).isGreaterThan(own(queue) + TINY);
    }
  }

  private void requireRight(
      Reason.Reclaimed reclaimed, JobSpec victim, JobSpec winner, List<Decision> later) {
    List<QueueName> mine = path(reclaimed.by());
    List<QueueName> theirs = path(reclaimed.from());
    int level = partingLevel(mine, theirs);
    requireAllowed(rules(winner).others(), victim, winner);
    switch (reclaimed.rule()) {
      case WHILE_BORROWING -> {
        assertThat(victim.priority()).isLessThan(winner.priority());
        assertThat(victim.priority())
            .isLessThanOrEqualTo(rules(winner).whileBorrowing().orElseThrow());
      }
      case DOMINANT_SHARE -> {
        double before = share(theirs.get(level), level);
        double after = atStart(winner, later, () -> share(mine.get(level), level));
        assertThat(after).as("share of %s", reclaimed.by()).isLessThanOrEqualTo(before + TINY);
      }
      case OWN_QUOTA ->
          assertThat(
                  atStart(
                      winner,
                      later,
                      () ->
                          mine.subList(level, mine.size()).stream()
                              .anyMatch(queue -> used(queue) <= own(queue) + TINY)))
              .as("%s of %s takes what is its own", winner.id(), reclaimed.by())
              .isTrue();
      case COMPUTED_SHARE -> assertThat(reclaimed.rule()).isNotEqualTo(ReclaimRule.COMPUTED_SHARE);
    }
  }

  /** Asks something about the time when the winner has started and all its victims are gone. */
  private <T> T atStart(JobSpec winner, List<Decision> later, Supplier<T> question) {
    Map<JobId, Double> before = new LinkedHashMap<>(held);
    for (Decision decision : later) {
      if (decision instanceof Decision.Preempt preempt) {
        held.remove(preempt.job());
      } else if (decision instanceof Decision.Start start && start.job().equals(winner.id())) {
        held.put(winner.id(), gpus(start.placement()));
        break;
      }
    }
    T answer = question.get();
    held.clear();
    held.putAll(before);
    return answer;
  }

  /** Returns the amount that a queue borrows of the lendable amount below its parent, by weight. */
  private double share(QueueName queue, int level) {
    double borrowed = Math.max(0, used(queue) - own(queue));
    double lendable = lendable(path(queue).get(level - 1));
    double weight = quota(queue).weight();
    return borrowed <= TINY || lendable == 0
        ? 0
        : weight == 0 ? Double.POSITIVE_INFINITY : borrowed / lendable / weight;
  }

  private double lendable(QueueName queue) {
    double hidden = children(queue).stream().mapToDouble(this::unlent).sum();
    double free = own(queue) - hidden;
    Optional<QueueName> parent = spec(queue).parent();
    if (parent.isEmpty()) {
      return free;
    }
    double kept = Math.max(0, unlent(queue) - hidden);
    double most = free - kept + (quota(queue).limit() - quota(queue).guaranteed());
    return kept + Math.min(lendable(parent.get()), most);
  }

  /** Returns the amount that no other queue may have though the queue uses nothing. */
  private double unlent(QueueName queue) {
    double ofParts = children(queue).stream().mapToDouble(this::unlent).sum();
    return Math.max(ofParts, own(queue) - quota(queue).lendingLimit());
  }

  /** Fails if a start takes anything that no queue may lend. */
  private void requireLent(QueueName leaf, double gpus, JobId started) {
    List<QueueName> path = path(leaf).reversed();
    double more = gpus;
    for (QueueName queue : path) {
      if (more <= TINY) {
        return;
      }
      double limit = spec(queue).parent().isEmpty() ? own(queue) : quota(queue).limit();
      double used = used(queue);
      assertThat(used + more).as("%s in %s", started, queue).isLessThanOrEqualTo(limit + TINY);
      double kept = own(queue) - quota(queue).lendingLimit();
      more = Math.max(kept, used + more) - Math.max(kept, used);
    }
  }

  private double used(QueueName queue) {
    List<QueueName> children = children(queue);
    return children.isEmpty()
        ? held.entrySet().stream()
            .filter(job -> job(job.getKey()).queue().equals(queue))
            .mapToDouble(Map.Entry::getValue)
            .sum()
        : children.stream()
            .mapToDouble(child -> Math.max(used(child), own(child) - quota(child).lendingLimit()))
            .sum();
  }

  private double own(QueueName queue) {
    double ofParts = children(queue).stream().mapToDouble(this::own).sum();
    return Math.max(ofParts, quota(queue).guaranteed());
  }

  private static int partingLevel(List<QueueName> one, List<QueueName> other) {
    int level = 0;
    while (one.get(level).equals(other.get(level))) {
      level++;
    }
    return level;
  }

  private JobSpec job(JobId job) {
    return Objects.requireNonNull(jobs.get(job));
  }

  private QueueSpec spec(QueueName queue) {
    return Objects.requireNonNull(tree).find(queue).orElseThrow();
  }

  private QueueQuota quota(QueueName queue) {
    return Objects.requireNonNull(tree).quota(spec(queue), QuotaResource.GPUS);
  }

  private List<QueueName> children(QueueName queue) {
    return Objects.requireNonNull(tree).children(queue).stream().map(QueueSpec::name).toList();
  }

  /** Returns a queue and those that it is a part of, from the top. */
  private List<QueueName> path(QueueName queue) {
    List<QueueName> path = new ArrayList<>();
    Optional<QueueName> at = Optional.of(queue);
    while (at.isPresent()) {
      path.add(at.get());
      at = spec(at.get()).parent();
    }
    Collections.reverse(path);
    return path;
  }
}
