package io.github.liquidscheduler.simulator.baseline.grouping;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.network.PlacementCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.baseline.NodeCountCost;
import io.github.liquidscheduler.simulator.baseline.grouping.NodePacking.Group;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs to be packed on the nodes of a cluster, with the cost of Liquid's equations 2 to 8: the sum
 * of the scores of all jobs, and the number of nodes used.
 */
final class GroupingProblem implements GroupOperators.Rooms {

  private static final double LAMBDA = 0.5;

  private final ClusterTopology topology;
  private final ClusterState state;
  private final List<JobSpec> jobs;
  private final List<PlacementCost.JobCost> scores = new ArrayList<>();
  private final List<Optional<GpuModel>> models = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final List<Group> nodes = new ArrayList<>();
  private final Map<Integer, List<Integer>> freeGpus = new LinkedHashMap<>();
  private final Map<Integer, TaskCounts> countsByRoles = new LinkedHashMap<>();

  /** A task of the job at a position, of the role at a position there. */
  record Task(int job, int role, int index, ResourceRequest request) {}

  /**
   * Makes the problem.
   *
   * @param admitted the jobs, with places to start from: a job that names GPU models keeps to that
   *     of its place, since they are not mixed in a job
   */
  GroupingProblem(ClusterState state, Map<JobSpec, Placement> admitted) {
    this.state = state;
    jobs = List.copyOf(admitted.keySet());
    topology = state.topology();
    admitted.forEach((job, place) -> models.add(modelOf(job, place)));
    NodeCountCost cost =
        NodeCountCost.of(topology, this::usedGpus, LAMBDA, NodeCountCost.Fitness.MEAN);
    for (int job = 0; job < jobs.size(); job++) {
      scores.add(cost.forJob(jobs.get(job)));
      addTasks(job);
    }
    for (int node = 0; node < topology.nodes().size(); node++) {
      addNode(node);
    }
  }

  /** Returns the numbers of all tasks: job by job, the roles of a job taking turns. */
  List<Integer> tasks() {
    return IntStream.range(0, tasks.size()).boxed().toList();
  }

  /** Returns all nodes that could take a task, empty. */
  List<Group> nodes() {
    return nodes;
  }

  /** Returns the plan that the placements are. */
  NodePacking of(Map<JobSpec, Placement> placements) {
    Map<Integer, List<Integer>> byNode = new LinkedHashMap<>();
    nodes.forEach(group -> byNode.put(group.node(), new ArrayList<>()));
    for (int number = 0; number < tasks.size(); number++) {
      TaskPlacement place = placed(tasks.get(number), placements);
      byNode.computeIfAbsent(topology.position(place.node()), k -> new ArrayList<>()).add(number);
    }
    return new NodePacking(
        byNode.entrySet().stream()
            .map(entry -> new Group(entry.getKey(), entry.getValue()))
            .toList(),
        List.of());
  }

  private TaskPlacement placed(Task task, Map<JobSpec, Placement> placements) {
    JobSpec job = jobs.get(task.job);
    int before = job.roles().subList(0, task.role).stream().mapToInt(TaskRole::count).sum();
    return Objects.requireNonNull(placements.get(job)).tasks().get(before + task.index);
  }

  /** Returns what a plan costs, or infinity if it breaks a rule. */
  double cost(NodePacking packing) {
    if (!packing.isWhole()) {
      return Double.POSITIVE_INFINITY;
    }
    int[] nodeOf = nodeOf(packing);
    double sum = packing.nodesUsed();
    int next = 0;
    for (int job = 0; job < jobs.size(); job++) {
      int end = next + jobs.get(job).tasks();
      if (!isInRequiredDomain(jobs.get(job), nodeOf, next, end)) {
        return Double.POSITIVE_INFINITY;
      }
      sum += scores.get(job).of(counts(job, nodeOf, next, end));
      next = end;
    }
    return sum;
  }

  /** Returns where each job runs in a whole plan, in the order of the jobs. */
  List<Placement> placements(NodePacking packing) {
    Map<Integer, TaskPlacement> places = new LinkedHashMap<>();
    packing.groups().forEach(group -> place(group, places));
    List<Placement> placements = new ArrayList<>();
    int next = 0;
    for (JobSpec job : jobs) {
      placements.add(
          new Placement(
              job.id(),
              IntStream.range(next, next + job.tasks())
                  .boxed()
                  .sorted(
                      Comparator.<Integer>comparingInt(task -> tasks.get(task).role)
                          .thenComparingInt(task -> tasks.get(task).index))
                  .map(places::get)
                  .toList()));
      next += job.tasks();
    }
    return placements;
  }

  @Override
  public boolean fits(int node, List<Integer> there, int oneMore) {
    List<Integer> all = new ArrayList<>(there);
    all.add(oneMore);
    return holdsHosts(node, all) && assign(node, all) != null;
  }

  private Optional<GpuModel> modelOf(JobSpec job, Placement place) {
    return job.gpuModels().isEmpty()
        ? Optional.empty()
        : place.tasks().stream()
            .filter(task -> !task.gpus().isEmpty())
            .map(task -> topology.gpu(new GpuId(task.node(), task.gpus().get(0))).model())
            .findFirst();
  }

  private void addTasks(int job) {
    List<TaskRole> roles = jobs.get(job).roles();
    int most = roles.stream().mapToInt(TaskRole::count).max().orElseThrow();
    for (int index = 0; index < most; index++) {
      for (int role = 0; role < roles.size(); role++) {
        if (index < roles.get(role).count()) {
          tasks.add(new Task(job, role, index, roles.get(role).request()));
        }
      }
    }
  }

  private void addNode(int position) {
    Node node = topology.nodes().get(position);
    List<Integer> free =
        IntStream.range(0, node.gpus().size())
            .filter(gpu -> state.isFree(new GpuId(node.id(), gpu)))
            .boxed()
            .toList();
    if (state.health(node.id()) == NodeHealth.UP) {
      freeGpus.put(position, free);
      nodes.add(new Group(position, List.of()));
    }
  }

  private int usedGpus(int position) {
    Node node = topology.nodes().get(position);
    return node.gpus().size() - state.freeGpus(node.id());
  }

  private boolean holdsHosts(int node, List<Integer> all) {
    long cpu = 0;
    long memory = 0;
    for (int number : all) {
      Task task = tasks.get(number);
      cpu += task.request.cpu().orElse(CpuCores.ZERO).millicores();
      memory += task.request.memory().orElse(Memory.ZERO).bytes();
    }
    Node there = topology.nodes().get(node);
    return cpu <= state.freeCpu(there.id()).millicores()
        && memory <= state.freeMemory(there.id()).bytes()
        && all.stream()
            .map(number -> jobs.get(tasks.get(number).job))
            .allMatch(job -> there.labels().entrySet().containsAll(job.nodeLabels().entrySet()));
  }

  /** Returns the GPUs of each task on a node; null if they lack. */
  private @Nullable List<List<Integer>> assign(int node, List<Integer> all) {
    List<Integer> free = freeGpus.getOrDefault(node, List.of());
    return GpuAssignment.of(
        all.stream()
            .map(tasks::get)
            .map(task -> new GpuAssignment.Ask(task.request.gpus(), allowed(task, node, free)))
            .toList());
  }

  private List<Integer> allowed(Task task, int node, List<Integer> free) {
    return free.stream().filter(gpu -> isAllowed(task, node, gpu)).toList();
  }

  private boolean isAllowed(Task task, int node, int gpu) {
    Gpu device = topology.nodes().get(node).gpus().get(gpu);
    return models.get(task.job).map(device.model()::equals).orElse(true)
        && task.request.gpuMemory().orElse(Memory.ZERO).compareTo(device.memory()) <= 0;
  }

  private void place(Group group, Map<Integer, TaskPlacement> places) {
    List<List<Integer>> gpus = assign(group.node(), group.tasks());
    if (gpus == null) {
      throw new IllegalStateException("a plan must fit, but does not on " + group);
    }
    for (int i = 0; i < group.tasks().size(); i++) {
      Task task = tasks.get(group.tasks().get(i));
      TaskRole role = jobs.get(task.job).roles().get(task.role);
      places.put(
          group.tasks().get(i),
          new TaskPlacement(
              new TaskId(role.name(), task.index),
              topology.nodes().get(group.node()).id(),
              gpus.get(i),
              role.request()));
    }
  }

  private int[] nodeOf(NodePacking packing) {
    int[] nodeOf = new int[tasks.size()];
    for (Group group : packing.groups()) {
      for (int task : group.tasks()) {
        nodeOf[task] = group.node();
      }
    }
    return nodeOf;
  }

  private TaskCounts counts(int job, int[] nodeOf, int from, int to) {
    int roles = jobs.get(job).roles().size();
    TaskCounts counts =
        countsByRoles.computeIfAbsent(roles, n -> new TaskCounts(topology.nodes().size(), n));
    counts.clear();
    for (int task = from; task < to; task++) {
      counts.add(nodeOf[task], tasks.get(task).role, 1);
    }
    return counts;
  }

  private boolean isInRequiredDomain(JobSpec job, int[] nodeOf, int from, int to) {
    if (job.topology().required().isEmpty()) {
      return true;
    }
    NodeRange domain = domain(job.topology().required().get(), nodeOf[from]);
    return IntStream.range(from, to).allMatch(task -> domain.contains(nodeOf[task]));
  }

  /** Returns the nodes of the domain of the level, or of the next below, that a node is in. */
  private NodeRange domain(String level, int node) {
    if (level.equals(ClusterTopology.CLUSTER)) {
      return new NodeRange(0, topology.nodes().size());
    }
    List<String> levels = topology.levels();
    return levels.subList(levels.indexOf(level), levels.size()).stream()
        .flatMap(each -> topology.domainOf(topology.nodes().get(node).id(), each).stream())
        .findFirst()
        .map(domain -> topology.nodesOf(domain.id()))
        .orElse(new NodeRange(node, node + 1));
  }
}
