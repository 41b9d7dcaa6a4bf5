package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.network.LinkUsage;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
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
   * @param carried the jobs to plan, those that run and may move first
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
    weight = AdmissionWeight.of(request.pending());
    for (JobId job : state.runningJobs()) {
      Optional<JobSpec> known =
          request.running(job).or(() -> Optional.ofNullable(pending.get(job)));
      Placement placement = state.placement(job).orElseThrow();
      known.ifPresent(found -> fixed.add(new Problem.Fixed(found, placement)));
    }
    classes =
        InterferenceClasses.of(
            cost, request.view(), fixed.stream().map(Problem.Fixed::job).toList(), jobs);
  }

  /** Returns whether the arrays can carry a job: no GPU shares, slices or spread. */
  public static boolean carries(JobSpec job, ClusterTopology topology) {
    return job.topology().slices().isEmpty()
        && job.topology().spread().isEmpty()
        && job.roles().stream().allMatch(role -> role.request().share().isEmpty())
        && job.gpus() > 0
        && job.topology().required().map(topology.levels()::contains).orElse(true)
        && job.topology().preferred().map(topology.levels()::contains).orElse(true);
  }

  /** Returns the problem, its gangs in the order of the jobs to plan and its costs in units. */
  public Problem build() {
    Gang[] gangs = new Gang[jobs.size()];
    GangNetworkCost[] networkCosts = new GangNetworkCost[gangs.length];
    NetworkCosts costs = new NetworkCosts();
    for (int id = 0; id < gangs.length; id++) {
      gangs[id] = gang(id, jobs.get(id));
      networkCosts[id] = costs.of(jobs.get(id));
    }
    Problem problem =
        new Problem(
            slotTable,
            gangs,
            networkCosts,
            fixed,
            fixedInterference(),
            costs.fixedLinks(),
            cost.toUnits(cost.fragmentation()),
            cost.toUnits(cost.preference()));
    for (Gang gang : gangs) {
      request.view().placement(gang.job.id()).ifPresent(home -> setHome(problem, gang, home));
    }
    return problem;
  }

  /** Returns the assignment of a gang that a placement describes; unassigned if there is none. */
  public static GangAssignment assignmentOf(Problem problem, Gang gang, Placement placement) {
    SlotTable slotTable = problem.slotTable();
    Map<Integer, int[]> bySlot = new LinkedHashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      int role = roleOf(gang.job, task);
      int slot = role < 0 ? -1 : slotOf(slotTable, gang, role, task);
      if (slot < 0) {
        return GangAssignment.UNASSIGNED;
      }
      bySlot.computeIfAbsent(slot, any -> new int[gang.roles])[role]++;
    }
    int[] slots = bySlot.keySet().stream().mapToInt(Integer::intValue).toArray();
    int[] byRole = bySlot.values().stream().flatMapToInt(IntStream::of).toArray();
    for (int role = 0; role < gang.roles; role++) {
      int counted = 0;
      for (int i = 0; i < slots.length; i++) {
        counted += byRole[i * gang.roles + role];
      }
      if (counted != gang.count[role]) {
        return GangAssignment.UNASSIGNED;
      }
    }
    return problem.assignment(gang, slots, byRole);
  }

  private static int roleOf(JobSpec job, TaskPlacement task) {
    List<TaskRole> roles = job.roles();
    for (int role = 0; role < roles.size(); role++) {
      if (roles.get(role).name().equals(task.task().role())) {
        return role;
      }
    }
    return -1;
  }

  /** Returns the slot of a node whose GPUs a task is on; -1 if there is none such. */
  private static int slotOf(SlotTable slotTable, Gang gang, int role, TaskPlacement task) {
    if (!slotTable.topology.contains(task.node()) || task.gpus().size() != gang.gpus[role]) {
      return -1;
    }
    int node = slotTable.topology.position(task.node());
    int first = slotTable.firstOfNode[node];
    if (task.gpus().isEmpty()) {
      return first;
    }
    var gpus = slotTable.topology.nodes().get(node).gpus();
    int at = task.gpus().get(0);
    for (int slot = first; at < gpus.size() && slot < slotTable.firstOfNode[node + 1]; slot++) {
      GpuPool pool = slotTable.pools.get(slotTable.pool[slot]);
      if (pool.memory().equals(gpus.get(at).memory())
          && pool.model().filter(gpus.get(at).model()::equals).isPresent()) {
        return slot;
      }
    }
    return -1;
  }

  private void setHome(Problem problem, Gang gang, Placement home) {
    gang.home = assignmentOf(problem, gang, home);
    gang.migrationCost = cost.toUnits(request.migrationCosts().getOrDefault(gang.job.id(), 0.0));
  }

  private Gang gang(int id, JobSpec job) {
    int required = job.topology().required().flatMap(topology::levelPosition).orElse(0);
    int preferred = job.topology().preferred().flatMap(topology::levelPosition).orElse(-1);
    boolean runs = !pending.containsKey(job.id());
    long value = runs ? weight.ofAll() + 1 : weight.of(job.id());
    Gang.Terms terms = new Gang.Terms(required, preferred, value, classes.of(job));
    @Nullable BitSet nodes = job.nodeLabels().isEmpty() ? null : index.nodesWith(job.nodeLabels());
    return new Gang(id, job, terms, ranks(job), nodes);
  }

  /** Returns the preference rank of each pool. */
  private int[] ranks(JobSpec job) {
    int[] ranks = new int[slotTable.pools.size()];
    for (int pool = 0; pool < ranks.length; pool++) {
      ranks[pool] = rank(job, slotTable.pools.get(pool));
    }
    return ranks;
  }

  private int rank(JobSpec job, GpuPool pool) {
    boolean enough =
        job.roles().stream()
            .filter(role -> role.request().gpus() > 0)
            .allMatch(
                role ->
                    role.request().gpus() <= pool.maxFree()
                        && role.request().gpuMemory().orElse(Memory.ZERO).compareTo(pool.memory())
                            <= 0);
    if (!enough || pool.model().isEmpty()) {
      return Gang.FORBIDDEN;
    }
    GpuModel model = pool.model().get();
    int rank = job.gpuModels().indexOf(model);
    if (!job.gpuModels().isEmpty()) {
      return rank < 0 ? Gang.FORBIDDEN : rank;
    }
    return 0;
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

  /** Makes the network cost of each job. */
  private final class NetworkCosts {
    private final @Nullable NetworkModel model = model();
    private final LinkUsage use = new LinkUsage();
    private @Nullable LeastSeconds least;
    private final Map<Integer, TaskCounts> countsByRoles = new LinkedHashMap<>();

    GangNetworkCost of(JobSpec job) {
      if (job.tasks() == 1 && model == null) {
        return GangNetworkCost.NOTHING;
      }
      if (cost.network() instanceof CostTerms.Tiers tiers) {
        return tierCost(job, tiers.traffic().applyAsLong(job));
      }
      if (model == null || job.communication() instanceof Communication.None) {
        return GangNetworkCost.NOTHING;
      }
      TaskCounts counts =
          countsByRoles.computeIfAbsent(
              job.roles().size(), roles -> new TaskCounts(topology.nodes().size(), roles));
      @Nullable LinkUsage noted = cost.sharesLinks() ? use : null;
      return new PhysicalGangCost(slotTable, model, least(), job, counts, noted, cost.scale());
    }

    /** Returns the link usage of the fixed jobs. */
    LinkContention fixedLinks() {
      if (model == null || !cost.sharesLinks()) {
        return new LinkContention(0);
      }
      LinkContention links = new LinkContention(model.linkCount());
      for (Problem.Fixed job : fixed) {
        TaskCounts counts = TaskCounts.of(topology, job.job(), job.placement());
        use.note(model, Traffic.of(job.job()), counts);
        links.add(LinkContention.Usage.of(use));
      }
      return links;
    }

    private GangNetworkCost tierCost(JobSpec job, long traffic) {
      if (traffic < 0) {
        throw new IllegalArgumentException(
            "traffic must not be negative, but was " + traffic + ", for job '" + job.id() + "'");
      }
      if (traffic == 0) {
        return GangNetworkCost.NOTHING;
      }
      int server = -1;
      int worker = -1;
      if (job.communication() instanceof Communication.ParameterServer pattern) {
        server = position(job, pattern.serverRole());
        worker = position(job, pattern.workerRole());
      }
      return new TierGangCost(slotTable, traffic, job.roles().size(), server, worker);
    }

    private int position(JobSpec job, String role) {
      return IntStream.range(0, job.roles().size())
          .filter(at -> job.roles().get(at).name().equals(role))
          .findFirst()
          .orElseThrow();
    }

    private LeastSeconds least() {
      if (least == null) {
        int mostTasks = jobs.stream().mapToInt(JobSpec::tasks).max().orElse(1);
        least = new LeastSeconds(slotTable, Objects.requireNonNull(model).parameters(), mostTasks);
      }
      return least;
    }

    private @Nullable NetworkModel model() {
      var parameters = cost.physicalParameters();
      return parameters == null ? null : NetworkModel.of(topology, parameters);
    }
  }
}
