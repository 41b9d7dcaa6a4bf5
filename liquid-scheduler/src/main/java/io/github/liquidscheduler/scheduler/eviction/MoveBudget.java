package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The number of moves still allowed, the jobs that may move, and the break-even of moves.
 *
 * <p>A waiting job moves others once the waiting time of its GPUs reaches the cost of the moves.
 * This is the ski-rental rule: buying when the rents add up to the price costs at most twice the
 * optimum (Karlin et al., Competitive Snoopy Caching, Algorithmica 3, 1988), without a prediction
 * of the start. Waiting time counts in steps of one pause, two, four, and so on; each step retries
 * the job, so that decisions depend on the state alone.
 */
public record MoveBudget(JobTable table) {

  /** Returns the number of moves allowed now. */
  int left() {
    return table.moves().left(table.preemption(), table.now());
  }

  /** Returns true if a job was moved too recently to move again. */
  boolean rests(JobEntry job) {
    return table.moves().rests(job.id(), table.preemption(), table.now());
  }

  /** Returns true if moves pay now. */
  boolean pays(JobEntry winner, Map<JobEntry, Placement> moves) {
    long cost = moves.keySet().stream().mapToLong(job -> Math.max(1, gpus(job))).sum();
    return table.preemption().movePause().isZero() || cost <= worth(winner, table.now());
  }

  /**
   * Returns the waiting time of a job's GPUs in pauses, rounded down to a power of two; unlimited
   * from the largest possible cost on.
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
   * Returns the largest cost of all moves for one job, in pauses of a GPU; a job without GPUs
   * counts 1.
   */
  private long mostCost() {
    return (long) table.cluster().topology().gpuCount() + table.preemption().mostMoves();
  }

  private boolean isWaitingFor(JobEntry winner, long pauses, Instant at) {
    return reached(winner, pauses).filter(since -> !since.isAfter(at)).isPresent();
  }

  /** Returns the time at which a job's GPUs have waited for a number of pauses. */
  private Optional<Instant> reached(JobEntry winner, long pauses) {
    Duration all =
        GpuTime.times(table.preemption().movePause(), (int) Math.min(pauses, Integer.MAX_VALUE));
    Duration each = GpuTime.ceilingOf(all, Math.max(1, winner.job().gpus()));
    return GpuTime.after(winner.since(), each);
  }

  /** Returns the next time at which moves may become possible or pay, if nothing else happens. */
  public Optional<Instant> nextChange(Instant after) {
    if (table.preemption().mostMoves() == 0 || table.eligible().isEmpty()) {
      return Optional.empty();
    }
    Stream<JobEntry> paying =
        table.preemption().movePause().isZero()
            ? Stream.empty()
            : table.eligible().byClass().firsts().stream();
    return Stream.concat(
            table.moves().nextRelease(table.preemption(), after).stream(),
            paying.flatMap(job -> nextStep(job, after).stream()))
        .min(Comparator.naturalOrder());
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

  /** Returns true if moves may have become possible, or pay, since the last turn. */
  public boolean isDue() {
    return nextChange(table.savepoints().lastTurn())
        .filter(at -> !at.isAfter(table.now()))
        .isPresent();
  }

  private static int gpus(JobEntry job) {
    return job.placement().orElseThrow().gpus();
  }

  /** Notes that a job was moved. */
  public void moved(JobEntry job) {
    table.remember(table.moves().with(job.id(), table.preemption(), table.now()));
  }
}
