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

  private PresentTasks() {}

  /** Checks that no GPU, core or byte is used by more than it has. */
  static void requireCapacity(
      ClusterTopology cluster, Collection<List<TaskPlacement>> present, List<Decision> decisions) {
    Map<GpuId, Long> shares = new HashMap<>();
    Map<NodeId, Long> cpu = new HashMap<>();
    Map<NodeId, Long> memory = new HashMap<>();
    for (List<TaskPlacement> tasks : present) {
      for (TaskPlacement task : tasks) {
        long share = share(task);
        gpus(task).forEach(gpu -> shares.merge(gpu, share, Long::sum));
        cpu.merge(task.node(), cpu(task), Long::sum);
        memory.merge(task.node(), memory(task), Long::sum);
      }
    }
    shares.forEach(
        (gpu, used) ->
            assertThat(used).as("%s after %s", gpu, decisions).isLessThanOrEqualTo(1000));
    for (Node node : cluster.nodes()) {
      assertThat(cpu.getOrDefault(node.id(), 0L)).isLessThanOrEqualTo(node.cpu().millicores());
      assertThat(memory.getOrDefault(node.id(), 0L)).isLessThanOrEqualTo(node.memory().bytes());
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
