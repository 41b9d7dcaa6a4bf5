package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.lab.baseline.NodeCountCost;
import io.github.liquidscheduler.lab.baseline.PlacementCost;
import io.github.liquidscheduler.lab.baseline.grouping.NodePacking.Group;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Jobs to be packed on the nodes of a cluster, with the cost of Liquid's equations 2 to 8: the sum
 * of the scores of all jobs, and the number of nodes used.
 */
final class GroupingProblem {

  private static final double LAMBDA = 0.5;

  private final ClusterTopology topology;
  private final ClusterState state;
  private final List<JobSpec> jobs;
  private final List<PlacementCost.JobCost> scores = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final NodeRooms rooms;
  private final Map<Integer, TaskCounts> countsByRoles = new LinkedHashMap<>();

  /**
   * A task of the role at a position.
   *
   * @param job its job
   * @param model the model of its GPUs, if the job keeps to one
   */
  record Task(JobSpec job, Optional<GpuModel> model, int role, int index) {
    ResourceRequest request() {
      return job.roles().get(role).request();
    }

    Map<String, String> nodeLabels() {
      return job.nodeLabels(job.roles().get(role));
    }
  }

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
    admitted.forEach(this::addTasks);
    rooms = new NodeRooms(state, tasks);
    NodeCountCost cost =
        NodeCountCost.of(topology, this::usedGpus, LAMBDA, NodeCountCost.Fitness.MEAN);
    jobs.forEach(job -> scores.add(cost.forJob(job)));
  }

  /** Returns the numbers of all tasks: job by job, the roles of a job taking turns. */
  List<Integer> tasks() {
    return IntStream.range(0, tasks.size()).boxed().toList();
  }

  /** Returns all nodes that could take a task, empty. */
  List<Group> nodes() {
    return rooms.nodes().stream().map(node -> new Group(node, List.of())).toList();
  }

  NodeRooms rooms() {
    return rooms;
  }

  /** Returns the plan that the placements are. */
  NodePacking of(Map<JobSpec, Placement> placements) {
    Map<Integer, List<Integer>> byNode = new LinkedHashMap<>();
    rooms.nodes().forEach(node -> byNode.put(node, new ArrayList<>()));
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
    JobSpec job = task.job;
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
      if (!rooms.isInRequiredDomain(jobs.get(job), nodeOf, next, end)) {
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

  private Optional<GpuModel> modelOf(JobSpec job, Placement place) {
    return job.gpuModels().isEmpty()
        ? Optional.empty()
        : place.tasks().stream()
            .filter(task -> !task.gpus().isEmpty())
            .map(task -> topology.gpu(new GpuId(task.node(), task.gpus().get(0))).model())
            .findFirst();
  }

  private void addTasks(JobSpec job, Placement place) {
    Optional<GpuModel> model = modelOf(job, place);
    List<TaskRole> roles = job.roles();
    int most = roles.stream().mapToInt(TaskRole::count).max().orElseThrow();
    for (int index = 0; index < most; index++) {
      for (int role = 0; role < roles.size(); role++) {
        if (index < roles.get(role).count()) {
          tasks.add(new Task(job, model, role, index));
        }
      }
    }
  }

  private int usedGpus(int position) {
    Node node = topology.nodes().get(position);
    return node.gpus().size() - state.freeGpus(node.id());
  }

  private void place(Group group, Map<Integer, TaskPlacement> places) {
    List<List<Integer>> gpus = rooms.gpus(group.node(), group.tasks());
    if (gpus == null) {
      throw new IllegalStateException("a plan must fit, but does not on " + group);
    }
    for (int i = 0; i < group.tasks().size(); i++) {
      Task task = tasks.get(group.tasks().get(i));
      TaskRole role = task.job.roles().get(task.role);
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
}
