package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search for running jobs that give way to a waiting one: they shrink, move or stop. Jobs that
 * started or moved in this turn are spared. Valid for one turn.
 */
public final class VictimSearch {

  private final JobTable table;
  private final Quotas quotas;
  private final Placer placer;
  private final Placer forWinner;
  private final Optional<Compaction> compaction;
  private final Set<JobEntry> spared;
  private final @Nullable ReclaimCandidates countedNow;
  private final @Nullable ReclaimCandidates countedNext;
  private boolean hasSpared;

  /** The result of a search. */
  public sealed interface Result {

    /** The plan under which the job starts. */
    record Found(EvictionPlan plan) implements Result {}

    /**
     * No jobs that may give way are enough.
     *
     * @param mayFitNext whether a spared job might have been one of them, so that the job may start
     *     in the next turn
     */
    record NotFound(boolean mayFitNext) implements Result {}
  }

  /**
   * Makes a search for waiting jobs.
   *
   * @param compaction the source of surplus GPUs, if sizes change
   * @param spared the jobs that started or moved in this turn; may grow
   * @param isCounted whether free capacity and the jobs of a queue tree alone decide whether a job
   *     of the tree fits, so that candidates are counted before a search
   */
  public VictimSearch(
      JobTable table,
      Placer placer,
      Optional<Compaction> compaction,
      Set<JobEntry> spared,
      boolean isCounted) {
    this(
        table,
        placer,
        placer,
        compaction,
        spared,
        isCounted ? ReclaimCandidates.now(table, spared) : null,
        isCounted ? ReclaimCandidates.next(table) : null);
  }

  private VictimSearch(
      JobTable table,
      Placer placer,
      Placer forWinner,
      Optional<Compaction> compaction,
      Set<JobEntry> spared,
      @Nullable ReclaimCandidates countedNow,
      @Nullable ReclaimCandidates countedNext) {
    this.table = table;
    quotas = table.quotas();
    this.placer = placer;
    this.forWinner = forWinner;
    this.compaction = compaction;
    this.spared = spared;
    this.countedNow = countedNow;
    this.countedNext = countedNext;
  }

  /**
   * Makes a search for the additional tasks of a running job.
   *
   * @param placer places moved jobs
   * @param forTasks places the tasks
   * @param spared the jobs that give nothing
   */
  public static VictimSearch forTasks(
      JobTable table, Placer placer, Placer forTasks, Set<JobEntry> spared) {
    return new VictimSearch(table, placer, forTasks, Optional.empty(), spared, null, null);
  }

  /** Returns true if running jobs may give way to others at all. */
  public boolean mayFind() {
    return compaction.isPresent() || mayStopOrMove();
  }

  /** Returns true if running jobs may stop or move for others. */
  public boolean mayStopOrMove() {
    return mayStop() || table.preemption().mostMoves() > 0;
  }

  private boolean mayStop() {
    return table.policy().preempts() || quotas.hasQueueTree();
  }

  /** Searches for jobs that give way to a waiting one. */
  public Result find(JobEntry winner) {
    hasSpared = false;
    Optional<EvictionPlan> plan =
        exceedsQuota(winner)
            ? evict(winner)
            : surplus(winner).or(() -> moves(winner)).or(() -> stops(winner));
    return plan.<Result>map(Result.Found::new).orElseGet(() -> new Result.NotFound(hasSpared));
  }

  /** Returns true if a job exceeds a quota, so that only jobs below that may help. */
  private boolean exceedsQuota(JobEntry winner) {
    return !quotas.lendsQuota() && quotas.excess(winner).isPresent();
  }

  private Optional<EvictionPlan> surplus(JobEntry winner) {
    return compaction.flatMap(search -> search.find(winner)).map(EvictionPlan::of);
  }

  private Optional<EvictionPlan> moves(JobEntry winner) {
    Consolidation search = new Consolidation(table, placer, forWinner, spared);
    Optional<EvictionPlan> plan = search.find(winner);
    hasSpared |= search.hasSpared();
    return plan;
  }

  private Optional<EvictionPlan> stops(JobEntry winner) {
    return quotas.hasQueueTree() ? evict(winner) : mayStop() ? preempt(winner) : Optional.empty();
  }

  private Optional<EvictionPlan> evict(JobEntry winner) {
    QueueEviction search = new QueueEviction(table, placer, forWinner, spared, countedNow);
    Optional<EvictionPlan> plan = search.find(winner);
    if (plan.isEmpty() && search.hasSpared()) {
      hasSpared |= countedNext == null || mayFindNext(winner, countedNext);
    }
    return plan;
  }

  /** Returns true if a job fits once the spared jobs may leave. */
  private boolean mayFindNext(JobEntry winner, ReclaimCandidates next) {
    return new QueueEviction(table, placer, forWinner, Set.of(), next).find(winner).isPresent();
  }

  /**
   * Finds victims of strictly higher rank, last in policy order first. Ranks are those of this
   * instant, so that no two jobs pre-empt each other at one time. Elastic jobs give up GPUs before
   * any job is pre-empted; a job that starts in a turn therefore takes no more than earlier ones
   * could have, and none of them pre-empts it.
   */
  private Optional<EvictionPlan> preempt(JobEntry winner) {
    Iterator<JobEntry> victims =
        table.running().preemptibleAbove(table.preemptsAbove(winner), job -> !isSpared(job));
    if (!victims.hasNext()) {
      return Optional.empty();
    }
    List<EvictionSearch.Candidate> leaving = new ArrayList<>();
    compaction.ifPresent(search -> search.besidesVictims(winner).forEach(leaving::add));
    VictimRelocation relocation = new VictimRelocation(table, placer, winner, lost -> true);
    return new EvictionSearch<>(
            table.cluster(), forWinner, winner.job(), EvictionSearch.Limits.NONE)
        .fewest(leaving.isEmpty() ? victims : with(leaving, victims))
        .map(relocation::preferMoves);
  }

  private static Iterator<EvictionSearch.Candidate> with(
      List<EvictionSearch.Candidate> surpluses, Iterator<JobEntry> victims) {
    victims.forEachRemaining(surpluses::add);
    return surpluses.iterator();
  }

  private boolean isSpared(JobEntry job) {
    boolean isNew = !spared.isEmpty() && spared.contains(job);
    hasSpared |= isNew;
    return isNew;
  }
}
