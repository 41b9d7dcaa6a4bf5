package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What tasks take where they are, and which of them are in the way of others. */
final class PresentTasks {

  /**
   * What is used of a node.
   *
   * @param what one of its GPUs, or its {@link #CORES} or {@link #MEMORY}
   */
  record Part(NodeId node, int what) {
    static final int CORES = -1;
    static final int MEMORY = -2;
  }

  private PresentTasks() {}

  /** Returns the thousandths of GPUs and cores, and the bytes of hosts, that tasks use. */
  static Map<Part, Long> used(Collection<List<TaskPlacement>> present) {
    Map<Part, Long> used = new HashMap<>();
    for (List<TaskPlacement> tasks : present) {
      for (TaskPlacement task : tasks) {
        long share = share(task);
        gpus(task).forEach(gpu -> used.merge(new Part(gpu.node(), gpu.index()), share, Long::sum));
        used.merge(new Part(task.node(), Part.CORES), cpu(task), Long::sum);
        used.merge(new Part(task.node(), Part.MEMORY), memory(task), Long::sum);
      }
    }
    return used;
  }

  /**
   * Checks that no GPU, core or byte is used by more than it has, or than used it before.
   *
   * @param adopted nodes where jobs were adopted since
   */
  static void requireCapacity(
      ClusterTopology cluster,
      Map<Part, Long> used,
      Map<Part, Long> before,
      Set<NodeId> adopted,
      List<Decision> decisions) {
    for (Node node : cluster.nodes()) {
      if (!adopted.contains(node.id())) {
        Map<Part, Long> has = new HashMap<>();
        for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
          has.put(new Part(node.id(), gpu), 1000L);
        }
        has.put(new Part(node.id(), Part.CORES), node.cpu().millicores());
        has.put(new Part(node.id(), Part.MEMORY), node.memory().bytes());
        has.forEach(
            (what, most) ->
                assertThat(used.getOrDefault(what, 0L))
                    .as("%s after %s", what, decisions)
                    .isLessThanOrEqualTo(Math.max(most, before.getOrDefault(what, 0L))));
      }
    }
  }

  /** Returns the tasks of a placement that are not there yet, or not with as large a share. */
  static List<TaskPlacement> more(Placement to, Collection<TaskPlacement> there) {
    List<TaskPlacement> left = new ArrayList<>(there);
    List<TaskPlacement> more = new ArrayList<>();
    for (TaskPlacement task : to.tasks()) {
      Optional<TaskPlacement> same =
          left.stream().filter(other -> isAtLeast(other, task)).findFirst();
      same.ifPresentOrElse(left::remove, () -> more.add(task));
    }
    return more;
  }

  private static boolean isAtLeast(TaskPlacement one, TaskPlacement other) {
    return share(one) >= share(other)
        && one.node().equals(other.node())
        && one.gpus().equals(other.gpus())
        && one.task().role().equals(other.task().role());
  }

  /** Checks that tasks may begin where they are to: the node is up, and no GPU lost. */
  static void requireAllowed(ClusterView cluster, List<TaskPlacement> coming) {
    for (TaskPlacement task : coming) {
      assertThat(cluster.health(task.node())).as("%s", task).isEqualTo(NodeHealth.UP);
      assertThat(gpus(task)).noneMatch(cluster::isLost);
    }
  }

  /** Returns true if tasks of some and of others have a GPU in common. */
  static boolean overlap(List<TaskPlacement> some, List<TaskPlacement> others) {
    return some.stream().anyMatch(one -> others.stream().anyMatch(other -> overlap(one, other)));
  }

  /** Returns true if tasks of some and of others use cores, or memory, of one node. */
  static boolean shareHost(List<TaskPlacement> some, List<TaskPlacement> others) {
    return some.stream().anyMatch(one -> others.stream().anyMatch(other -> shareHost(one, other)));
  }

  private static boolean overlap(TaskPlacement one, TaskPlacement other) {
    return gpus(one).stream().anyMatch(gpus(other)::contains);
  }

  private static boolean shareHost(TaskPlacement one, TaskPlacement other) {
    return one.node().equals(other.node())
        && ((cpu(one) > 0 && cpu(other) > 0) || (memory(one) > 0 && memory(other) > 0));
  }

  /** Returns the roles and GPUs of tasks; their indices change with the size. */
  static List<String> places(List<TaskPlacement> tasks) {
    return tasks.stream()
        .map(task -> "%s on %s%s".formatted(task.task().role(), task.node(), task.gpus()))
        .toList();
  }

  /** Returns the GPUs of a task. */
  static Set<GpuId> gpus(TaskPlacement task) {
    Set<GpuId> gpus = new LinkedHashSet<>();
    task.gpus().forEach(gpu -> gpus.add(new GpuId(task.node(), gpu)));
    return gpus;
  }

  private static long share(TaskPlacement task) {
    return task.request().share().map(GpuShare::thousandths).orElse(1000);
  }

  private static long cpu(TaskPlacement task) {
    return task.request().cpu().orElse(CpuCores.ZERO).millicores();
  }

  private static long memory(TaskPlacement task) {
    return task.request().memory().orElse(Memory.ZERO).bytes();
  }
}
