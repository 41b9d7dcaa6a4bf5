package io.github.liquidscheduler.planner.problem;

import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns a request into a problem in arrays. */
public final class ProblemBuilder {

  private final PlanRequest request;
  private final CostTerms cost;
  private final CapacityIndex index;
  private final ClusterTopology topology;
  private final SlotTable slotTable;
  private final InterferenceClasses classes;
  private final List<JobSpec> jobs = new ArrayList<>();
  private final Map<JobId, JobSpec> pending = new LinkedHashMap<>();
  private final List<Problem.Fixed> fixed = new ArrayList<>();
  private final AdmissionWeight weight;

  /**
   * Makes a builder.
   *
   * @param state the cluster with what is fixed; the jobs that may move are not on it
   * @param carried the jobs to plan, those that run and may move first; of those that may have
   *     several sizes one for each
   */
  public ProblemBuilder(
      PlanRequest request, CostTerms cost, ClusterState state, List<JobSpec> carried) {
    this.request = request;
    this.cost = cost;
    index = state.index();
    topology = state.topology();
    slotTable = new SlotTable(index);
    jobs.addAll(carried);
    for (JobSpec job : request.pending()) {
      pending.put(job.id(), job);
    }
    weight = new AdmissionWeight(request.pending(), Set.of());
    for (JobId job : state.runningJobs()) {
      Optional<JobSpec> known =
          request.running(job).or(() -> Optional.ofNullable(pending.get(job)));
      Placement placement = state.placement(job).orElseThrow();
      known.ifPresent(found -> fixed.add(new Problem.Fixed(found, placement)));
    }
    classes =
        InterferenceClasses.of(
            cost,
            request.view(),
            fixed.stream().map(Problem.Fixed::job).toList(),
            jobs.stream().map(this::asSubmitted).distinct().toList());
  }

  /** Returns true if the arrays can carry a job: no GPU shares, slices or spread. */
  public static boolean carries(JobSpec job, ClusterTopology topology) {
    return job.topologyParts().isEmpty()
        && job.topology().slices().isEmpty()
        && job.topology().spread().isEmpty()
        && job.roles().stream().allMatch(role -> role.request().share().isEmpty())
        && job.gpus() > 0
        && job.topology().required().map(topology.levels()::contains).orElse(true);
  }

  /** Returns the problem, its gangs in the order of the jobs to plan and its costs in units. */
  public Problem build() {
    Gang[] gangs = new Gang[jobs.size()];
    for (int id = 0; id < gangs.length; id++) {
      gangs[id] = gang(id, jobs.get(id));
    }
    link(gangs);
    GangNetworkCosts network = new GangNetworkCosts(cost, slotTable, jobs);
    Problem problem =
        new Problem(
            slotTable,
            gangs,
            network.costs(),
            fixed,
            fixedInterference(),
            network.links(fixed),
            cost.toUnits(cost.fragmentation()),
            cost.toUnits(cost.preference()));
    for (Gang gang : gangs) {
      request.view().placement(gang.job.id()).ifPresent(home -> setHome(problem, gang, home));
    }
    return problem;
  }

  /** Returns a job that waits at whatever size it prefers, and any other as it is. */
  private JobSpec asSubmitted(JobSpec job) {
    return pending.getOrDefault(job.id(), job);
  }

  /** Lets the gangs of one job know of each other. */
  private static void link(Gang[] gangs) {
    ListMultimap<JobId, Gang> byJob = Multimaps.index(Arrays.asList(gangs), gang -> gang.job.id());
    for (Gang gang : gangs) {
      gang.others =
          byJob.get(gang.job.id()).stream()
              .filter(other -> other != gang)
              .mapToInt(other -> other.id)
              .toArray();
    }
  }

  private void setHome(Problem problem, Gang gang, Placement home) {
    gang.home = GangPlacements.assignmentOf(problem, gang, home);
    gang.migrationCost = cost.toUnits(request.migrationCosts().getOrDefault(gang.job.id(), 0.0));
  }

  private Gang gang(int id, JobSpec job) {
    int required = job.topology().required().flatMap(topology::levelPosition).orElse(0);
    int preferred = job.topology().preferred().flatMap(topology::levelPosition).orElse(-1);
    boolean runs = !pending.containsKey(job.id());
    int missing = asSubmitted(job).tasks() - job.tasks();
    long value =
        runs ? weight.ofAll() + 1 : weight.of(job.id()) - weight.missing(asSubmitted(job), missing);
    Gang.Terms terms = new Gang.Terms(required, preferred, value, classes.of(job), missing > 0);
    @Nullable BitSet nodes = index.nodesAllowedTo(job);
    PoolLoss loss = new PoolLoss(job, request.gpuSpeeds(job.id()));
    int[] losses = slotTable.pools.stream().mapToInt(loss::on).toArray();
    @Nullable BitSet[] ofRoles =
        job.roles().stream().map(role -> index.nodesAllowedTo(job, role)).toArray(BitSet[]::new);
    return new Gang(id, job, terms, losses, nodes, ofRoles);
  }

  private InterferenceScore fixedInterference() {
    InterferenceScore interference = classes.score(topology.nodes().size());
    for (Problem.Fixed job : fixed) {
      for (TaskPlacement task : job.placement().tasks()) {
        interference.add(classes.of(job.job()), topology.position(task.node()), 1);
      }
    }
    return interference;
  }
}
