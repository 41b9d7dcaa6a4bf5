package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/*
 * Idea: with the victims and the winner's place taken out, each victim is placed again, largest
 *   first, where it was or where the placer finds capacity; who finds none leaves.
 * Invariants: a move takes nothing that a stopping job holds and stays within the quotas of all
 *   movers and the winner together, and of each when its turn comes; each target is free then, of
 *   other movers on its GPUs too; who shares a GPU is admitted beside all that are there
 *   afterwards. The cluster is as before afterwards (ConsolidationLaws, StoppingLaws).
 * Cost: one placement for each victim that cannot stay, and O(movers x movers) for their order.
 */
/**
 * The search for new placements of victims: larger jobs first, then eviction order; each stays if
 * its placement is still free, else the placer is asked. Moves are limited, and each finds its
 * target free when it is its turn.
 */
final class VictimRelocation implements EvictionSearch.Acceptance<EvictionSearch.Candidate> {

  private static final Comparator<JobEntry> LARGEST_FIRST =
      Comparator.<JobEntry>comparingInt(job -> at(job).gpus()).reversed();

  private final JobTable table;
  private final ClusterState cluster;
  private final Placer placer;
  private final JobEntry winner;
  private final Predicate<List<JobEntry>> mayLose;
  private final MoveBudget budget;

  /**
   * Makes a search.
   *
   * @param winner the job for which others leave or move
   * @param mayLose whether the jobs without a new placement may leave, in eviction order
   */
  VictimRelocation(
      JobTable table, Placer placer, JobEntry winner, Predicate<List<JobEntry>> mayLose) {
    this.table = table;
    cluster = table.cluster();
    this.placer = placer;
    this.winner = winner;
    this.mayLose = mayLose;
    budget = new MoveBudget(table);
  }

  /** Returns true if a job may be moved for another at all; a pause may break a promise. */
  static boolean isMovable(JobEntry job) {
    return job.job().isPreemptible()
        && !job.isPromised()
        && job.hasBegun()
        && !job.isMoving()
        && job.resizing().isEmpty()
        && !job.isProfiling();
  }

  @Override
  public boolean accepts(Placement placement, List<EvictionSearch.Candidate> gone) {
    return rehouse(placement, gone.stream().map(ResourceLoss::job).toList()).isPresent();
  }

  /**
   * Returns the plan with moves; empty if it is invalid once all jobs have left, which may be more
   * than those with which it was {@linkplain #accepts accepted}.
   */
  Optional<EvictionPlan> complete(LeavingSearch.Result<EvictionSearch.Candidate> plan) {
    List<JobEntry> jobs = plan.leaving().stream().map(ResourceLoss::job).toList();
    jobs.forEach(job -> job.leave(cluster, false));
    Optional<EvictionPlan> complete = rehouse(plan.placement(), jobs);
    jobs.reversed().forEach(job -> job.comeBack(cluster, false));
    return complete;
  }

  /** Returns a plan in which victims move if they can and leave otherwise. */
  EvictionPlan preferMoves(LeavingSearch.Result<EvictionSearch.Candidate> plan) {
    boolean mayMove =
        budget.left() > 0 && plan.leaving().stream().allMatch(JobEntry.class::isInstance);
    return (mayMove ? complete(plan) : Optional.<EvictionPlan>empty())
        .orElseGet(() -> EvictionPlan.of(plan));
  }

  /** Returns the plan, while all jobs are removed from the cluster. */
  private Optional<EvictionPlan> rehouse(Placement forWinner, List<JobEntry> gone) {
    Map<JobEntry, Placement> places = new LinkedHashMap<>();
    cluster.trials().applyTentatively(winner.job(), forWinner);
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    table.quotas().admission().start(winner, forWinner, use);
    List<JobEntry> lost = settle(gone, places, use);
    boolean areFree = areFreeOfOthers(places);
    places.keySet().forEach(job -> cluster.trials().withdraw(job.id()));
    cluster.trials().withdraw(winner.id());
    long moving = places.entrySet().stream().filter(VictimRelocation::moves).count();
    return areFree && moving <= budget.left() && mayLose.test(lost) && isFreeAtOnce(places, lost)
        ? inOrder(places).map(moves -> new EvictionPlan(forWinner, lost, moves))
        : Optional.empty();
  }

  /** Places the jobs that fit, and returns the others in order. */
  private List<JobEntry> settle(
      List<JobEntry> gone, Map<JobEntry, Placement> places, HypotheticalUsage use) {
    for (JobEntry job : gone.reversed().stream().sorted(LARGEST_FIRST).toList()) {
      Optional<Placement> place = mayStay(job) ? Optional.of(at(job)) : elsewhere(job, use);
      place.ifPresent(
          found -> {
            cluster.trials().applyTentatively(job.asPlaced(), found);
            places.put(job, found);
            table.quotas().admission().move(job, found, use);
          });
    }
    return gone.stream().filter(job -> !places.containsKey(job)).toList();
  }

  /** Returns true if the placement of a job is still free, and those on its GPUs admit it. */
  private boolean mayStay(JobEntry job) {
    boolean isAlone = at(job).gpuIds().allMatch(gpu -> cluster.residents(gpu).isEmpty());
    return cluster.fits(at(job)) && (isAlone || placer.allows(cluster, job.asPlaced(), at(job)));
  }

  private Optional<Placement> elsewhere(JobEntry job, HypotheticalUsage use) {
    return isMovable(job) && !budget.rests(job)
        ? QuotaPlacer.moving(placer, table.quotas(), job, use)
            .place(cluster, job.asPlaced())
            .filter(found -> table.stopping().leaveFree(found, cluster))
        : Optional.empty();
  }

  /** Returns true if nobody who is stopping holds anything of the targets, all being taken. */
  private boolean areFreeOfOthers(Map<JobEntry, Placement> places) {
    return places.entrySet().stream()
        .filter(VictimRelocation::moves)
        .allMatch(place -> table.stopping().blocking(place.getValue(), cluster).isEmpty());
  }

  private static boolean moves(Map.Entry<JobEntry, Placement> place) {
    return !at(place.getKey()).equals(place.getValue());
  }

  /** Returns true if no job moves to a node with jobs that are still stopping. */
  private boolean isFreeAtOnce(Map<JobEntry, Placement> places, List<JobEntry> lost) {
    if (table.preemption().gracePeriod().isZero()) {
      return true;
    }
    Set<NodeId> held = new LinkedHashSet<>();
    lost.forEach(job -> held.addAll(at(job).nodes()));
    return places.entrySet().stream()
        .filter(VictimRelocation::moves)
        .allMatch(place -> Collections.disjoint(place.getValue().nodes(), held));
  }

  /**
   * Returns the moves in an order in which each target is free and within the quotas; empty if they
   * block each other.
   */
  private Optional<Map<JobEntry, Placement>> inOrder(Map<JobEntry, Placement> places) {
    Map<JobEntry, Placement> moves = new LinkedHashMap<>();
    List<JobEntry> left = new ArrayList<>(places.keySet());
    left.forEach(job -> cluster.trials().takeBack(at(job)));
    left.removeIf(job -> at(job).equals(places.get(job)));
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    boolean goesOn = true;
    while (goesOn) {
      goesOn =
          left.removeIf(
              job -> isClear(job, places, left, moves) && moveIfFree(job, places, moves, use));
    }
    places.forEach(
        (job, place) -> cluster.trials().giveUp(moves.containsKey(job) ? place : at(job)));
    return left.isEmpty() ? Optional.of(moves) : Optional.empty();
  }

  /** Returns true if no other job that is still to move runs on a GPU of the target. */
  private static boolean isClear(
      JobEntry job,
      Map<JobEntry, Placement> places,
      List<JobEntry> left,
      Map<JobEntry, Placement> moves) {
    Set<GpuId> target = places.getOrDefault(job, at(job)).gpuIds().collect(Collectors.toSet());
    return left.stream()
        .filter(other -> !other.equals(job) && !moves.containsKey(other))
        .flatMap(other -> at(other).gpuIds())
        .noneMatch(target::contains);
  }

  private boolean moveIfFree(
      JobEntry job,
      Map<JobEntry, Placement> places,
      Map<JobEntry, Placement> moves,
      HypotheticalUsage use) {
    Placement to = places.getOrDefault(job, at(job));
    cluster.trials().giveUp(at(job));
    boolean fits = cluster.fits(to) && table.quotas().admission().admitsMove(job, to, use);
    cluster.trials().takeBack(fits ? to : at(job));
    if (fits) {
      moves.put(job, to);
      table.quotas().admission().move(job, to, use);
    }
    return fits;
  }

  private static Placement at(JobEntry job) {
    return job.placement().orElseThrow();
  }
}
