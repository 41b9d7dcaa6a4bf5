package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.baseline.grouping.GroupingProblem.Task;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which tasks fit on which nodes together, and on which GPUs there. */
final class NodeRooms implements GroupOperators.Rooms {
  private final ClusterTopology topology;
  private final ClusterState state;
  private final List<Task> tasks;
  private final Map<Integer, List<Integer>> freeGpus = new LinkedHashMap<>();

  /** Takes the tasks by their numbers. */
  NodeRooms(ClusterState state, List<Task> tasks) {
    this.state = state;
    this.tasks = List.copyOf(tasks);
    topology = state.topology();
    for (int node = 0; node < topology.nodes().size(); node++) {
      addNode(node);
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
    }
  }

  /** Returns the positions of all nodes that could take a task. */
  Set<Integer> nodes() {
    return Collections.unmodifiableSet(freeGpus.keySet());
  }

  @Override
  public boolean fits(int node, List<Integer> there, int oneMore) {
    List<Integer> all = new ArrayList<>(there);
    all.add(oneMore);
    return holdsHosts(node, all) && gpus(node, all) != null;
  }

  private boolean holdsHosts(int node, List<Integer> all) {
    long cpu = 0;
    long memory = 0;
    for (int number : all) {
      Task task = tasks.get(number);
      cpu += task.request().cpu().orElse(CpuCores.ZERO).millicores();
      memory += task.request().memory().orElse(Memory.ZERO).bytes();
    }
    Node there = topology.nodes().get(node);
    return cpu <= state.freeCpu(there.id()).millicores()
        && memory <= state.freeMemory(there.id()).bytes()
        && all.stream()
            .map(tasks::get)
            .allMatch(
                task ->
                    !task.job().excludedNodes().contains(there.id().value())
                        && there.labels().entrySet().containsAll(task.nodeLabels().entrySet()));
  }

  /** Returns the GPUs of each task on a node; null if they lack. */
  @Nullable List<List<Integer>> gpus(int node, List<Integer> all) {
    List<Integer> free = freeGpus.getOrDefault(node, List.of());
    return GpuAssignment.of(
        all.stream()
            .map(tasks::get)
            .map(task -> new GpuAssignment.Ask(task.request().gpus(), allowed(task, node, free)))
            .toList());
  }

  private List<Integer> allowed(Task task, int node, List<Integer> free) {
    return free.stream().filter(gpu -> isAllowed(task, node, gpu)).toList();
  }

  private boolean isAllowed(Task task, int node, int gpu) {
    Gpu device = topology.nodes().get(node).gpus().get(gpu);
    return task.model().map(device.model()::equals).orElse(true)
        && task.request().gpuMemory().orElse(Memory.ZERO).compareTo(device.memory()) <= 0;
  }

  /** Returns whether tasks of a job are in one domain of the level that it requires. */
  boolean isInRequiredDomain(JobSpec job, int[] nodeOf, int from, int to) {
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
