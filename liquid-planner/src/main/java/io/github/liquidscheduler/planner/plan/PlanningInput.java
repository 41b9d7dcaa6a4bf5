package io.github.liquidscheduler.planner.plan;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.GangPlacements;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.ProblemBuilder;
import io.github.liquidscheduler.planner.search.GreedyStart;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The input of a planner: the jobs that the arrays cannot carry are placed as immediate mode would
 * place them and stay there; the others are a problem with a greedy plan.
 */
public final class PlanningInput {

  /** A job of more smaller sizes is planned at some of them. */
  private static final int MOST_SMALLER = 16;

  private final PlanRequest request;
  private final CostTerms cost;
  private final BatchStarts immediate;
  private final ClusterTopology topology;
  private final Problem problem;

  /**
   * Makes the input of a request: places its pending jobs as immediate mode would, then builds the
   * problem of those that the arrays can carry.
   *
   * @param cost the terms of the plan's cost
   */
  public PlanningInput(PlanRequest request, CostTerms cost) {
    this.request = request;
    this.cost = cost;
    immediate = new BatchStarts(request);
    immediate.startRest(cost.sharesLinks() ? Placers.leastCost() : Placers.bestFit());
    topology = immediate.state().topology();
    problem = problem(movable());
  }

  /**
   * Returns the problem; running jobs whose placement the arrays do not carry stay where they are.
   */
  private Problem problem(List<JobSpec> movable) {
    List<JobSpec> carried = request.pending().stream().filter(this::isCarried).toList();
    ClusterState without = immediate.state().copy();
    carried.stream()
        .map(JobSpec::id)
        .filter(job -> immediate.placement(job).isPresent())
        .forEach(without::release);
    movable.forEach(job -> without.release(job.id()));
    List<JobSpec> all =
        Stream.concat(movable.stream(), carried.stream().flatMap(this::atSizes)).toList();
    Problem found = new ProblemBuilder(request, cost, without, all).build();
    List<JobSpec> atHome =
        movable.stream()
            .filter(job -> !found.gangs()[movable.indexOf(job)].home.isUnassigned())
            .toList();
    return atHome.size() == movable.size() ? found : problem(atHome);
  }

  /**
   * Returns a pending job at the size that it prefers and, if there is not enough for all, at all
   * smaller ones; if they are many, at the one at which immediate mode would start it, at halves of
   * the preferred one and at the smallest.
   */
  private Stream<JobSpec> atSizes(JobSpec job) {
    Parallelism sizes = job.parallelism();
    if (!sizes.isElastic() || immediate.isEnoughForAll()) {
      return Stream.of(job);
    }
    NavigableSet<Integer> smaller = new TreeSet<>(Comparator.reverseOrder());
    sizes.allowedSizes().stream().filter(size -> size < sizes.preferred()).forEach(smaller::add);
    if (smaller.size() > MOST_SMALLER) {
      smaller.clear();
      smaller.add(sizes.min());
      for (int half = sizes.preferred() / 2; half > sizes.min(); half /= 2) {
        sizes.largestWithin(half).ifPresent(smaller::add);
      }
      immediate.placement(job.id()).map(start -> start.size(job)).ifPresent(smaller::add);
      smaller.remove(sizes.preferred());
    }
    return Stream.concat(Stream.of(job), smaller.stream().map(job::atSize));
  }

  /** Returns the request that is planned. */
  public PlanRequest request() {
    return request;
  }

  /** Returns the terms of a plan's cost. */
  public CostTerms cost() {
    return cost;
  }

  /** Returns the gangs to assign, in arrays, beside the jobs that are fixed. */
  public Problem problem() {
    return problem;
  }

  /** Returns the placement of a job in immediate mode. */
  public Optional<Placement> immediate(JobId job) {
    return immediate.placement(job);
  }

  /** Returns true if a job is part of the problem. */
  public boolean isCarried(JobSpec job) {
    return ProblemBuilder.carries(job, topology);
  }

  /**
   * Returns the best of the greedy plans: with the largest first, in the order of the policy, and
   * as immediate mode would do it.
   */
  public Occupancy greedy() {
    GreedyStart greedy = new GreedyStart(problem);
    Occupancy best = greedy.best();
    Occupancy plain = greedy.from(immediateAssignments());
    return GreedyStart.isBetter(plain, best) ? plain : best;
  }

  /** Returns the start of the search: the greedy plan, or the previous plan if that is better. */
  public Occupancy start(Occupancy greedy) {
    if (request.previous().isEmpty()) {
      return greedy;
    }
    BatchPlan previous = request.previous().get();
    Map<JobId, Placement> before = new LinkedHashMap<>();
    previous.migrations().forEach(migration -> before.put(migration.job(), migration.to()));
    previous.starts().forEach(start -> before.put(start.job(), start));
    Occupancy warm = new GreedyStart(problem).from(assignments(before));
    return GreedyStart.isBetter(greedy, warm) ? greedy : warm;
  }

  /** Returns the assignments of the gangs in immediate mode, in the order of the policy. */
  public GangAssignment[] immediateAssignments() {
    return assignments(immediate.placements());
  }

  private GangAssignment[] assignments(Map<JobId, Placement> placements) {
    GangAssignment[] assignments = new GangAssignment[problem.gangs().length];
    for (Gang gang : problem.gangs()) {
      Placement placement = placements.get(gang.job.id());
      assignments[gang.id] =
          placement == null ? gang.home : GangPlacements.assignmentOf(problem, gang, placement);
    }
    return assignments;
  }

  private List<JobSpec> movable() {
    return request.migrationCosts().keySet().stream()
        .map(job -> request.running(job).orElseThrow())
        .filter(this::isCarried)
        .filter(job -> holdsWholeGpus(job.id()))
        .toList();
  }

  /** Returns true if nobody granted the running job less of its GPUs than it requests. */
  private boolean holdsWholeGpus(JobId job) {
    return request.view().placement(job).stream()
        .flatMap(home -> home.tasks().stream())
        .allMatch(task -> task.share().equals(GpuShare.WHOLE));
  }
}
