package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.gang.GangResize;
import io.github.liquidscheduler.placement.makeroom.LeavingSearch;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Resizing;
import io.github.liquidscheduler.scheduler.queue.Surplus;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds out which running jobs give up GPUs so that a waiting one fits: first what they have beyond
 * what they prefer and, if many wait, what the policy of sizes takes from them besides; the last in
 * turn first, and no more of them than are needed (EDL's compaction, as far as somebody starts).
 */
public final class Compaction {

  private static final Comparator<JobEntry> LAST_IN_TURN_FIRST =
      Comparator.comparingLong(JobEntry::rank).thenComparingLong(JobEntry::sequence).reversed();

  private final JobTable table;
  private final Placer placer;
  private final Elasticity rules;

  /** Makes the search among the jobs of {@code table}. */
  public Compaction(JobTable table, Placer placer, Elasticity rules) {
    this.table = table;
    this.placer = placer;
    this.rules = rules;
  }

  /** Returns who gives up what so that the job fits, if that is enough. */
  public Optional<LeavingSearch.Room<Surplus>> find(JobEntry waiting) {
    Optional<LeavingSearch.Room<Surplus>> room = find(waiting, false);
    return room.isPresent() || !isCrowded() ? room : find(waiting, true);
  }

  /** Returns whether any running job might give up GPUs. */
  public boolean mayFind() {
    return !table.elastic().all().isEmpty();
  }

  private boolean isCrowded() {
    return table.waiting().size() > rules.pendingLimit();
  }

  private Optional<LeavingSearch.Room<Surplus>> find(JobEntry waiting, boolean crowded) {
    List<JobEntry> givers = new ArrayList<>();
    long gpus = table.cluster().freeGpus();
    for (JobEntry job : table.elastic().all()) {
      int surplus = mayGiveUp(job) ? tasks(job) - floor(job, crowded) : 0;
      if (surplus > 0) {
        givers.add(job);
        gpus += (long) surplus * job.job().roles().getFirst().request().gpus();
      }
    }
    if (givers.isEmpty() || gpus < leastGpus(waiting.job())) {
      return Optional.empty();
    }
    givers.sort(LAST_IN_TURN_FIRST);
    MakeRoom<Surplus> search =
        new MakeRoom<>(table.cluster(), placer, waiting.job(), MakeRoom.Limits.NONE);
    return search.fewest(givers.stream().flatMap(job -> surplus(job, crowded).stream()).iterator());
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

  private static int tasks(JobEntry job) {
    return job.size(job.placement().orElseThrow());
  }

  private int floor(JobEntry job, boolean crowded) {
    if (isGettingLarger(job)) {
      return job.size();
    }
    SizedJob sized = SizedJob.of(job, table.now(), rules, table.cluster().topology());
    int floor = rules.sizing().floor(sized, crowded);
    return job.job().parallelism().allowedSizes().stream()
        .filter(size -> size >= floor)
        .findFirst()
        .orElse(job.job().parallelism().max());
  }

  private Optional<Surplus> surplus(JobEntry job, boolean crowded) {
    Placement has = job.placement().orElseThrow();
    Optional<Placement> kept =
        isGettingLarger(job)
            ? job.resizing().map(Resizing::running)
            : new GangResize(table.cluster(), job.job(), has).smaller(floor(job, crowded));
    return kept.flatMap(where -> Surplus.of(job, where, table.cluster().topology()));
  }
}
