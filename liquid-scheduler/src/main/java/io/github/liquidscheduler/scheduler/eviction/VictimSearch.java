package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The search for running jobs that give way to a waiting one: they shrink, move or stop. Jobs that
 * started, grew or moved at this instant are spared. Valid for one turn.
 */
public final class VictimSearch {

  private final JobTable table;
  private final Quotas quotas;
  private final Reach reach;
  private final Optional<Compaction> compaction;
  private final Predicate<JobEntry> kept;
  private final @Nullable ReclaimCandidates countedNow;
  private final @Nullable ReclaimCandidates countedLater;

  /**
   * Where jobs may go, besides what capacity and quotas allow.
   *
   * @param ofWinner the placer of a job for which others give way
   * @param ofMoved the placer of the jobs that move for a winner
   * @param admission what quotas of later instants allow
   */
  public record Reach(
      Function<JobEntry, Placer> ofWinner,
      Function<JobEntry, Placer> ofMoved,
      Admission admission) {

    /** Returns the reach of fixed placers. */
    public static Reach of(Placer winner, Placer moved) {
      return new Reach(any -> winner, any -> moved, (any, placement, released) -> true);
    }
  }

  /** Whether a winner may hold quota until it ends. */
  public interface Admission {

    /**
     * Returns true if it may.
     *
     * @param released the charges of those that give way
     */
    boolean admits(JobEntry winner, Placement placement, Map<JobId, Charge> released);
  }

  /** The result of a search. */
  public sealed interface Result {

    /** The plan under which the job starts. */
    record Found(EvictionPlan plan) implements Result {}

    /**
     * No jobs that may give way are enough.
     *
     * @param mayFitLater whether they are with spared jobs, so that the job may start at a later
     *     instant
     */
    record NotFound(boolean mayFitLater) implements Result {}
  }

  /**
   * Makes a search for waiting jobs.
   *
   * @param reach where they and those that move for them may go
   * @param compaction the source of surplus GPUs, if sizes change
   * @param isCounted whether free capacity and the jobs of a queue tree alone decide whether a job
   *     of the tree fits, so that candidates are counted before a search
   */
  public VictimSearch(
      JobTable table, Reach reach, Optional<Compaction> compaction, boolean isCounted) {
    this(
        table,
        reach,
        compaction,
        any -> false,
        isCounted ? ReclaimCandidates.now(table, justPlaced(table)) : null,
        isCounted ? ReclaimCandidates.later(table) : null);
  }

  private static Predicate<JobEntry> justPlaced(JobTable table) {
    return job -> job.isPlacedAt(table.now());
  }

  private VictimSearch(
      JobTable table,
      Reach reach,
      Optional<Compaction> compaction,
      Predicate<JobEntry> kept,
      @Nullable ReclaimCandidates countedNow,
      @Nullable ReclaimCandidates countedLater) {
    this.table = table;
    quotas = table.quotas();
    this.reach = reach;
    this.compaction = compaction;
    this.kept = kept;
    this.countedNow = countedNow;
    this.countedLater = countedLater;
  }

  /**
   * Makes a search for the additional tasks of a running job.
   *
   * @param placer places moved jobs
   * @param forTasks places the tasks
   * @param kept jobs that give nothing, besides those that are spared at this instant
   */
  public static VictimSearch forTasks(
      JobTable table, Placer placer, Placer forTasks, Predicate<JobEntry> kept) {
    return new VictimSearch(table, Reach.of(forTasks, placer), Optional.empty(), kept, null, null);
  }

  /** Returns true if running jobs may give way to others at all. */
  public boolean mayFind() {
    return compaction.isPresent()
        || table.preemption().mostMoves() > 0
        || table.policy().preempts()
        || table.promises()
        || quotas.hasQueueTree();
  }

  /** Returns true if some rule may let running jobs give way to a waiting one. */
  public boolean mayFindFor(JobEntry job) {
    return compaction.isPresent()
        || table.mayPreempt(job)
        || table.preemption().mostMoves() > 0
        || (quotas.hasQueueTree() && (quotas.lendsQuota() || quotas.admission().mayTakeBack(job)));
  }

  /** Returns true if running jobs may get smaller for a job that a limit blocks. */
  public boolean mayShrinkBelowLimit(JobEntry job) {
    return compaction.isPresent() && quotas.admission().isBlockedByLimit(job);
  }

  /** Searches for jobs that give way to a waiting one. */
  public Result find(JobEntry winner) {
    SparedJobs met = SparedJobs.now(kept.or(justPlaced(table)));
    return find(winner, met, countedNow)
        .<Result>map(Result.Found::new)
        .orElseGet(() -> new Result.NotFound(met.isMet() && mayFindLater(winner)));
  }

  /** Returns true if a job fits once the spared jobs may give way. */
  private boolean mayFindLater(JobEntry winner) {
    return find(winner, SparedJobs.later(kept), countedLater).isPresent();
  }

  /** Returns the plan of the first rule that finds one. */
  private Optional<EvictionPlan> find(
      JobEntry winner, SparedJobs met, @Nullable ReclaimCandidates counted) {
    RuleContext context =
        new RuleContext(
            table, winner, reach.ofMoved().apply(winner), reach.ofWinner().apply(winner), met);
    GeneralRules general = new GeneralRules(context, compaction);
    Optional<EvictionPlan> plan = bySurplus(general, winner);
    for (Supplier<Optional<VictimRule>> row : rows(general, context, counted)) {
      if (plan.isPresent()) {
        return plan;
      }
      plan = plan(row.get(), winner);
    }
    return plan;
  }

  private Optional<EvictionPlan> plan(Optional<VictimRule> rule, JobEntry winner) {
    return rule.flatMap(found -> found.find(table.cluster()))
        .filter(
            plan ->
                !quotas.hasQueueTree()
                    || reach.admission().admits(winner, plan.placement(), released(plan)));
  }

  private Map<JobId, Charge> released(EvictionPlan plan) {
    ResourceLoss losses = new ResourceLoss(table);
    Map<JobId, Charge> released = new HashMap<>();
    plan.leaving().forEach(lost -> released.put(lost.id(), losses.charge(lost)));
    return released;
  }

  /**
   * The first rows of the table, one for each size: surplus lets a job start at the largest size,
   * up to the preferred one, that it allows.
   */
  private Optional<EvictionPlan> bySurplus(GeneralRules general, JobEntry winner) {
    return general.mayStartLarger()
        ? LargestSize.upToPreferred(winner.job(), sized -> plan(general.surplus(sized), winner))
        : plan(general.surplus(winner.job()), winner);
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
    return quotas.admission().excess(context.winner()).isPresent()
        ? List.of(reclaim::belowLimit, reclaim::ownBelowLimit)
        : List.of(
            general::moves,
            reclaim::worstFirst,
            reclaim::nearestFirst,
            reclaim::byMoving,
            reclaim::ownQueue);
  }
}
