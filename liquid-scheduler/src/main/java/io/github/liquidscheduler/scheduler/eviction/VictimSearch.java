package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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

  /** Returns true if running jobs may get smaller for a job that a limit blocks. */
  public boolean mayShrinkBelowLimit(JobEntry job) {
    return compaction.isPresent() && quotas.isBlockedByLimit(job);
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
    SparedJobs met = new SparedJobs(spared);
    return find(winner, met, countedNow)
        .<Result>map(Result.Found::new)
        .orElseGet(() -> new Result.NotFound(met.isMet() && mayFindNext(winner)));
  }

  /** Returns true if a job may fit once the spared jobs may give way. */
  private boolean mayFindNext(JobEntry winner) {
    return countedNext == null || find(winner, new SparedJobs(Set.of()), countedNext).isPresent();
  }

  /** Returns the plan of the first rule that finds one. */
  private Optional<EvictionPlan> find(
      JobEntry winner, SparedJobs met, @Nullable ReclaimCandidates counted) {
    RuleContext context = new RuleContext(table, winner, placer, forWinner, met);
    GeneralRules general = new GeneralRules(context, compaction);
    Optional<EvictionPlan> plan = bySurplus(general, winner.job());
    for (Supplier<Optional<VictimRule>> row : rows(general, context, counted)) {
      if (plan.isPresent()) {
        return plan;
      }
      plan = plan(row.get());
    }
    return plan;
  }

  private Optional<EvictionPlan> plan(Optional<VictimRule> rule) {
    return rule.flatMap(found -> found.find(table.cluster()));
  }

  /**
   * The first rows of the table, one for each size: surplus lets a job start at the largest size,
   * up to the preferred one, that it allows.
   */
  private Optional<EvictionPlan> bySurplus(GeneralRules general, JobSpec job) {
    return general.mayStartLarger()
        ? LargestSize.upToPreferred(job, sized -> plan(general.surplus(sized)))
        : plan(general.surplus(job));
  }

  /** The rest of the table: the rules that apply to a job, in the order in which they are tried. */
  private List<Supplier<Optional<VictimRule>>> rows(
      GeneralRules general, RuleContext context, @Nullable ReclaimCandidates counted) {
    if (!quotas.hasQueueTree()) {
      return List.of(general::moreSurplus, general::moves, general::ranks);
    }
    if (quotas.lendsQuota()) {
      LendingRules lending = new LendingRules(context);
      return List.of(general::moves, lending::first, lending::second);
    }
    ReclaimRules reclaim = new ReclaimRules(context, counted);
    return quotas.excess(context.winner()).isPresent()
        ? List.of(reclaim::belowLimit, reclaim::ownBelowLimit)
        : List.of(
            general::moves,
            reclaim::worstFirst,
            reclaim::nearestFirst,
            reclaim::byMoving,
            reclaim::ownQueue);
  }
}
