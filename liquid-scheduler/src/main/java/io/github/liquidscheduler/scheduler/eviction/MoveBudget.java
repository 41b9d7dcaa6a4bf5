package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How many running jobs may still be moved, which, and whether that pays.
 *
 * <p>A job that waits has others moved once it has waited for as long as its GPUs could do what the
 * moves cost. That is the rule for renting skis: whoever comes to buy when the rents add up to the
 * price pays at most twice what is best in hindsight (Karlin et al., Competitive Snoopy Caching,
 * Algorithmica 3, 1988). It needs no prediction of when the job would start otherwise. How long it
 * has waited counts in steps: when its GPUs have waited for one pause, for two, four, and so on, it
 * is tried again. So what is decided follows from the state alone.
 */
public final class MoveBudget {

  private final JobTable table;
  private final PreemptionRules rules;

  /** Makes the budget of a table, which changes with that. */
  public MoveBudget(JobTable table) {
    this.table = table;
    rules = table.preemption();
  }

  /** Returns how many jobs may be moved now. */
  int left() {
    return table.moves().left(rules, table.now());
  }

  /** Returns true if a job was moved so short a time ago that it must stay. */
  boolean rests(JobEntry job) {
    return table.moves().rests(job.id(), rules, table.now());
  }

  /** Returns true if moves pay by now. */
  boolean pays(JobEntry winner, Map<JobEntry, Placement> moves) {
    long cost = moves.keySet().stream().mapToLong(job -> Math.max(1, gpus(job))).sum();
    return rules.movePause().isZero() || cost <= worth(winner, table.now());
  }

  /**
   * Returns for how many pauses the GPUs of a job have waited, rounded down to a power of two;
   * without end once that is as much as moves may cost.
   */
  private long worth(JobEntry winner, Instant at) {
    long most = mostCost();
    long worth = 1;
    while (worth < most && isWaitingFor(winner, 2 * worth, at)) {
      worth *= 2;
    }
    boolean isAll = worth >= most;
    return isWaitingFor(winner, 1, at) ? (isAll ? Long.MAX_VALUE : worth) : 0;
  }

  /**
   * Returns what all moves for one job cost at most, in pauses of a GPU; a job without counts 1.
   */
  private long mostCost() {
    return (long) table.cluster().topology().gpuCount() + rules.mostMoves();
  }

  private boolean isWaitingFor(JobEntry winner, long pauses, Instant at) {
    return reached(winner, pauses).filter(since -> !since.isAfter(at)).isPresent();
  }

  /** Returns when the GPUs of a waiting job have waited for so many pauses. */
  private Optional<Instant> reached(JobEntry winner, long pauses) {
    Duration all = GpuTime.times(rules.movePause(), (int) Math.min(pauses, Integer.MAX_VALUE));
    Duration each = GpuTime.ceilingOf(all, Math.max(1, winner.job().gpus()));
    return GpuTime.after(winner.since(), each);
  }

  /** Returns when moves may become possible, or pay, after an instant, if nothing else happens. */
  public Optional<Instant> nextChange(Instant after) {
    if (rules.mostMoves() == 0 || table.eligible().isEmpty()) {
      return Optional.empty();
    }
    Optional<Instant> next = table.moves().nextRelease(rules, after);
    if (!rules.movePause().isZero()) {
      for (JobEntry job : table.eligible().byClass().firsts()) {
        next = earlier(next, nextStep(job, after));
      }
    }
    return next;
  }

  private Optional<Instant> nextStep(JobEntry job, Instant after) {
    long most = mostCost();
    for (long pauses = 1; pauses < 2 * most; pauses *= 2) {
      Optional<Instant> at = reached(job, pauses);
      if (at.isEmpty() || at.get().isAfter(after)) {
        return at;
      }
    }
    return Optional.empty();
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || other.filter(one.get()::isAfter).isPresent() ? other : one;
  }

  /** Returns true if moves may have become possible, or pay, since the turn before. */
  public boolean isDue() {
    return nextChange(table.lastTurn()).filter(at -> !at.isAfter(table.now())).isPresent();
  }

  private static int gpus(JobEntry job) {
    return job.placement().orElseThrow().gpus();
  }

  /** Notes that a job was moved. */
  public void moved(JobEntry job) {
    table.remember(table.moves().with(job.id(), rules, table.now()));
  }
}
