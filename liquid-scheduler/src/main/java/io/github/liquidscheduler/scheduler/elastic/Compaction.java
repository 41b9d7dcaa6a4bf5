package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.placement.gang.GangResize;
import io.github.liquidscheduler.scheduler.deadline.SharePlan;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.resize.Resizing;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which running jobs give up GPUs so that a waiting one fits: first what they have beyond
 * what they prefer and, if many wait, what the policy of sizes takes from them besides; the last in
 * turn first, and no more of them than are needed (EDL's compaction, as far as somebody starts).
 * For one turn.
 */
public final class Compaction {

  private static final Comparator<JobEntry> LAST_IN_TURN_FIRST =
      Comparator.comparingLong(JobEntry::rank).thenComparingLong(JobEntry::sequence).reversed();

  private final JobTable table;
  private final Placer placer;
  private final Elasticity rules;
  private final boolean manyWait;
  private @Nullable List<Giver> ofSurplus;
  private @Nullable List<Giver> ofMore;

  /**
   * Makes the search among the jobs of {@code table}.
   *
   * @param manyWait whether they give up more than their surplus
   */
  public Compaction(JobTable table, Placer placer, Elasticity rules, boolean manyWait) {
    this.table = table;
    this.placer = placer;
    this.rules = rules;
    this.manyWait = manyWait;
  }

  /** Returns who gives up what so that the job fits, if that is enough. */
  public Optional<LeavingSearch.Result<Surplus>> find(JobEntry waiting) {
    if (isPromised(waiting)) {
      return find(waiting, ofAll());
    }
    Optional<LeavingSearch.Result<Surplus>> found = find(waiting, ofSurplus());
    return found.isPresent() || !manyWait ? found : find(waiting, ofMore());
  }

  /** Returns what all give up at most but those whom the waiting job may pre-empt. */
  public Stream<Surplus> besidesVictims(JobEntry waiting) {
    long rank = table.preemptsAbove(waiting);
    return givers(waiting).stream()
        .filter(giver -> !table.running().mayBePreempted(giver.job, rank))
        .flatMap(Giver::surplusLeft);
  }

  private List<Giver> givers(JobEntry waiting) {
    return isPromised(waiting) ? ofAll() : manyWait ? ofMore() : ofSurplus();
  }

  /** Returns whether a job is promised GPUs by now, which others hold beyond what they are. */
  private boolean isPromised(JobEntry waiting) {
    return rules.lateJobs().isPresent() && SharePlan.isPromised(waiting.job());
  }

  /** Returns whether any running job might give up GPUs, or one that starts in this turn. */
  public boolean mayFind() {
    return !table.elastic().all().isEmpty() || rules.lateJobs().isPresent();
  }

  private Optional<LeavingSearch.Result<Surplus>> find(JobEntry waiting, List<Giver> givers) {
    long gpus = table.cluster().freeGpus();
    for (Giver giver : givers) {
      gpus += giver.mayStillGive() ? giver.gpus : 0;
    }
    if (givers.isEmpty() || gpus < leastGpus(waiting.job())) {
      return Optional.empty();
    }
    EvictionSearch<Surplus> search =
        new EvictionSearch<>(table.cluster(), placer, waiting.job(), EvictionSearch.Limits.NONE);
    return search.fewest(givers.stream().flatMap(Giver::surplusLeft).iterator());
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

  /** All that nobody is promised, whenever a job last changed its size or started. */
  private List<Giver> ofAll() {
    return givers(this::canGiveUp, this::promised);
  }

  private boolean canGiveUp(JobEntry job) {
    return isGettingLarger(job) || (job.resizing().isEmpty() && !job.isProfiling());
  }

  private int promised(JobEntry job) {
    return isGettingLarger(job) ? job.size() : job.job().parallelism().min();
  }

  private List<Giver> givers(Predicate<JobEntry> may, ToIntFunction<JobEntry> floor) {
    List<Giver> givers = new ArrayList<>();
    for (JobEntry job : table.elastic().all()) {
      if (may.test(job)) {
        Giver giver = new Giver(job, floor.applyAsInt(job));
        if (giver.gpus > 0) {
          givers.add(giver);
        }
      }
    }
    givers.sort(Comparator.comparing(giver -> giver.job, LAST_IN_TURN_FIRST));
    return givers;
  }

  /** A job that may give up GPUs, as it was when the turn began. */
  private final class Giver {

    private final JobEntry job;
    private final Placement has;
    private final int floor;
    private final int gpus;
    private @Nullable List<Surplus> surplus;

    Giver(JobEntry job, int floor) {
      this.job = job;
      this.floor = floor;
      has = job.placement().orElseThrow();
      gpus = job.job().sizedGpus(job.size(has)) - job.job().sizedGpus(floor);
    }

    /** Returns whether nothing has happened to the job since. */
    boolean mayStillGive() {
      return job.isRunning() && job.placement().orElseThrow().equals(has);
    }

    /** Returns what it gives up, unless something has happened to it since. */
    Stream<Surplus> surplusLeft() {
      if (!mayStillGive()) {
        return Stream.empty();
      }
      if (surplus == null) {
        surplus = surplusOf(job, has, floor).stream().toList();
      }
      return surplus.stream();
    }
  }

  private static long leastGpus(JobSpec job) {
    long gpus = 0;
    for (TaskRole role : job.atLeastSize().roles()) {
      gpus += role.request().share().isPresent() ? 0 : role.count() * role.request().gpus();
    }
    return gpus;
  }

  /** A job that is getting larger may still go back; any other keeps its size for a while. */
  private boolean mayGiveUp(JobEntry job) {
    return isGettingLarger(job) || table.elastic().mayChange(job);
  }

  private static boolean isGettingLarger(JobEntry job) {
    Optional<Resizing> change = job.resizing();
    return change.isPresent() && !change.get().ready() && change.get().leaving().isEmpty();
  }

  private int floor(JobEntry job, boolean more) {
    if (isGettingLarger(job)) {
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
        isGettingLarger(job)
            ? job.resizing().map(Resizing::running)
            : new GangResize(table.cluster(), job.job(), has).smaller(floor);
    return kept.flatMap(where -> Surplus.of(job, where, table.cluster().topology()));
  }
}
