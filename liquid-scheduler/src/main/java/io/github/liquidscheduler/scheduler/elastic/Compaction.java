package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.gang.GangResize;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Resizing;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: EDL's compaction. Running elastic jobs give up tasks so that a waiting job fits: their
 *   surplus beyond preferred sizes first, then, if many jobs wait, down to the policy's floor.
 * Invariants: last in queue order gives first; as few surpluses as needed, none of them needless;
 *   a job within its cool-down keeps its size, unless it is still growing or a deadline share needs
 *   the GPUs; the cluster is unchanged after a search.
 * Cost: O(n log n) in elastic jobs once per turn for the givers (per search for deadline shares);
 *   a search is one EvictionSearch over their surpluses, skipped if free and surplus GPUs together
 *   are too few. Measured by ElasticBench.
 * Rejected: searching surplus and pre-emption victims apart, after which a late job could start on
 *   surplus that an earlier one needed together with victims.
 * Source: EDL (compaction).
 */
/**
 * Finds the running jobs that give up GPUs so that a waiting job fits: first their surplus beyond
 * the preferred size and, if many jobs wait, what the sizing policy takes besides; last in queue
 * order first, and no more than needed (EDL's compaction). Valid for one turn.
 */
public final class Compaction {

  private static final Comparator<JobEntry> LAST_IN_TURN_FIRST =
      Comparator.comparingLong(JobEntry::rank).thenComparingLong(JobEntry::sequence).reversed();

  private final JobTable table;
  private final Elasticity rules;
  private final boolean manyWait;
  private @Nullable List<Giver> ofSurplus;
  private @Nullable List<Giver> ofMore;

  /**
   * Makes the search among the jobs of {@code table}.
   *
   * @param manyWait whether jobs give up more than their surplus
   */
  public Compaction(JobTable table, Elasticity rules, boolean manyWait) {
    this.table = table;
    this.rules = rules;
    this.manyWait = manyWait;
  }

  /** Returns true if surplus is given up for more than the least size of a waiting job. */
  public boolean mayStartLarger(JobEntry waiting) {
    return !rules.startsSmall() && !waiting.precedesQueues();
  }

  /**
   * Returns the surpluses that may be given up for a job, in order; empty if they are too few.
   *
   * @param sized the job at the sizes at which it may start
   * @param more whether jobs give up more than their surplus, if many jobs wait
   * @param spared the jobs that give nothing now
   */
  public Optional<Iterator<Surplus>> offered(
      JobEntry waiting, JobSpec sized, boolean more, Predicate<JobEntry> spared) {
    if (more && (!manyWait || waiting.precedesQueues())) {
      return Optional.empty();
    }
    List<Giver> givers =
        but(spared, waiting.precedesQueues() ? ofAll() : more ? ofMore() : ofSurplus());
    long gpus = table.cluster().freeGpus();
    for (Giver giver : givers) {
      gpus += giver.mayStillGive() ? giver.gpus : 0;
    }
    return gpus < leastGpus(sized)
        ? Optional.empty()
        : Optional.of(givers.stream().flatMap(Giver::surplusLeft).iterator());
  }

  private static List<Giver> but(Predicate<JobEntry> spared, List<Giver> givers) {
    return givers.stream().filter(giver -> !spared.test(giver.job)).toList();
  }

  /** Returns all surpluses, except of spared jobs and those that the waiting job may pre-empt. */
  public Stream<Surplus> besidesVictims(JobEntry waiting, Predicate<JobEntry> spared) {
    List<Giver> givers = waiting.precedesQueues() ? ofAll() : manyWait ? ofMore() : ofSurplus();
    return but(spared, givers).stream()
        .filter(giver -> !table.mayBeStoppedBy(waiting, giver.job))
        .flatMap(Giver::surplusLeft);
  }

  /** Returns true if a running job, or one that starts in this turn, might give up GPUs. */
  public boolean mayFind() {
    return !table.elastic().all().isEmpty() || rules.lateJobs().isPresent();
  }

  /** Returns the whole GPUs of a job at its least size. */
  public static long leastGpus(JobSpec job) {
    long gpus = 0;
    for (TaskRole role : job.atLeastSize().roles()) {
      gpus += role.request().share().isPresent() ? 0 : (long) role.count() * role.request().gpus();
    }
    return gpus;
  }

  private List<Giver> ofSurplus() {
    if (ofSurplus == null) {
      ofSurplus = givers(this::mayGiveUp, job -> floor(job, false));
    }
    return ofSurplus;
  }

  private List<Giver> ofMore() {
    if (ofMore == null) {
      ofMore = givers(this::mayGiveUp, job -> floor(job, true));
    }
    return ofMore;
  }

  /** All unpromised tasks, whatever the cool-down. */
  private List<Giver> ofAll() {
    return givers(this::canGiveUp, this::promised);
  }

  private boolean canGiveUp(JobEntry job) {
    return isGrowing(job) || (job.resizing().isEmpty() && !job.isProfiling());
  }

  private int promised(JobEntry job) {
    return isGrowing(job) ? job.size() : job.job().parallelism().min();
  }

  private List<Giver> givers(Predicate<JobEntry> may, ToIntFunction<JobEntry> floor) {
    List<Giver> givers = new ArrayList<>();
    for (JobEntry job : table.elastic().all()) {
      if (may.test(job)) {
        Giver giver = new Giver(job, floor);
        if (giver.gpus > 0) {
          givers.add(giver);
        }
      }
    }
    givers.sort(Comparator.comparing(giver -> giver.job, LAST_IN_TURN_FIRST));
    return givers;
  }

  /** A job that may give up GPUs, as of the beginning of the turn. */
  private final class Giver {

    private final JobEntry job;
    private final ToIntFunction<JobEntry> floor;
    private Placement has;
    private int gpus;
    private @Nullable List<Surplus> surplus;

    Giver(JobEntry job, ToIntFunction<JobEntry> floor) {
      this.job = job;
      this.floor = floor;
      has = job.placement().orElseThrow();
      gpus = gpus();
    }

    private int gpus() {
      return job.job().sizedGpus(has.size(job.job())) - job.job().sizedGpus(floor.applyAsInt(job));
    }

    /** Returns true if the job is unchanged since, or gets smaller. */
    boolean mayStillGive() {
      if (!job.isRunning()) {
        return false;
      }
      Placement now = job.placement().orElseThrow();
      if (!now.equals(has) && SizeSteps.isShrinking(job, table.now())) {
        has = now;
        gpus = gpus();
        surplus = null;
      }
      return now.equals(has) && gpus > 0;
    }

    /** Returns what is left of the job's surplus, in the steps in which it gets smaller. */
    Stream<Surplus> surplusLeft() {
      if (!mayStillGive()) {
        return Stream.empty();
      }
      if (surplus == null) {
        surplus = surplusOf(job, has, floor.applyAsInt(job)).map(this::steps).orElse(List.of());
      }
      return surplus.stream();
    }

    private List<Surplus> steps(Surplus all) {
      List<Surplus> steps =
          isGrowing(job) || SizeSteps.areInSlices(job.job())
              ? List.of()
              : SizeSteps.of(job, all.given().tasks(), table.cluster().topology());
      return steps.isEmpty() ? List.of(all) : steps;
    }
  }

  /** A growing job may still turn back; any other keeps its size during its cool-down. */
  private boolean mayGiveUp(JobEntry job) {
    return isGrowing(job)
        || table.elastic().mayChange(job)
        || SizeSteps.isShrinking(job, table.now());
  }

  private static boolean isGrowing(JobEntry job) {
    Optional<Resizing> change = job.resizing();
    return change.isPresent() && !change.get().ready() && change.get().leaving().isEmpty();
  }

  private int floor(JobEntry job, boolean more) {
    if (isGrowing(job)) {
      return job.size();
    }
    SizedJob sized = new SizedJob(job, table.now(), rules, table.cluster().topology());
    int floor = rules.sizing().floor(sized, more);
    return job.job().parallelism().allowedSizes().stream()
        .filter(size -> size >= floor)
        .findFirst()
        .orElse(job.job().parallelism().max());
  }

  private Optional<Surplus> surplusOf(JobEntry job, Placement has, int floor) {
    Optional<Placement> kept =
        isGrowing(job)
            ? job.resizing().map(Resizing::running)
            : new GangResize(table.cluster(), job.job(), has).smaller(floor);
    return kept.flatMap(where -> Surplus.of(job, where, table.cluster().topology()));
  }
}
