package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.capacity.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The nodes and GPUs picked so far for a gang. They are taken from the index until undone. */
public final class Picks {

  private final CapacityIndex index;
  private final List<Pick> picks = new ArrayList<>();

  /** Makes picks from an index, none so far. */
  public Picks(CapacityIndex index) {
    this.index = index;
  }

  /** Takes the amounts of {@code count} tasks on a node; the GPUs of each task are adjacent. */
  public void take(TaskShape task, GpuPool pool, int node, int count, int[] gpus) {
    take(new Pick(task, pool, node, count, gpus));
  }

  /** Takes the amounts of tasks on a node. */
  void take(Pick pick) {
    index.take(pick);
    picks.add(pick);
  }

  /** Returns the picks in their order, as they are now. */
  public List<Pick> all() {
    return List.copyOf(picks);
  }

  /** Returns the number of picks, to undo back to. */
  int size() {
    return picks.size();
  }

  /** Gives back all picks after the first {@code size}. */
  public void undoTo(int size) {
    for (int last = picks.size() - 1; last >= size; last--) {
      index.giveBack(picks.remove(last));
    }
  }

  /** Returns the number of tasks of the role picked on nodes of the range. */
  int tasksIn(NodeRange range, TaskShape task) {
    int tasks = 0;
    for (Pick pick : picks) {
      tasks += pick.task().equals(task) && range.contains(pick.node()) ? pick.count() : 0;
    }
    return tasks;
  }

  /** Returns the placement of the gang, whose tasks have all been picked. */
  public Placement placement(GangShape gang) {
    return placement(index, gang, picks);
  }

  /** Returns the placement of a gang whose tasks have all been picked, GPUs included. */
  public static Placement placement(CapacityIndex index, GangShape gang, List<Pick> picks) {
    List<TaskPlacement> tasks = new ArrayList<>(gang.job().tasks());
    if (gang.tasks().size() == 1) {
      addTasks(index, picks, tasks);
    } else {
      Map<String, List<Pick>> byRole = new HashMap<>();
      for (Pick pick : picks) {
        byRole.computeIfAbsent(pick.task().role().name(), role -> new ArrayList<>()).add(pick);
      }
      for (TaskRole role : gang.job().roles()) {
        addTasks(index, Objects.requireNonNull(byRole.get(role.name())), tasks);
      }
    }
    return new Placement(gang.job().id(), tasks);
  }

  /** Adds the tasks of one role. */
  private static void addTasks(CapacityIndex index, List<Pick> picks, List<TaskPlacement> tasks) {
    int next = 0;
    for (Pick pick : picks) {
      next = addTasks(index, pick, next, tasks);
    }
  }

  private static int addTasks(
      CapacityIndex index, Pick pick, int first, List<TaskPlacement> tasks) {
    TaskRole role = pick.task().role();
    int gpusPerTask = pick.task().gpus();
    for (int i = 0; i < pick.count(); i++) {
      Integer[] gpus = new Integer[gpusPerTask];
      for (int g = 0; g < gpusPerTask; g++) {
        gpus[g] = pick.gpus()[i * gpusPerTask + g];
      }
      tasks.add(
          new TaskPlacement(
              new TaskId(role.name(), first + i),
              index.topology().nodes().get(pick.node()).id(),
              List.of(gpus),
              role.request()));
    }
    return first + pick.count();
  }

  /**
   * Some tasks of a role on one node.
   *
   * @param task the request of each
   * @param pool the pool of their GPUs
   * @param node the position of the node
   * @param count the number of tasks
   * @param gpus their GPUs, those of each task adjacent
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Pick(TaskShape task, GpuPool pool, int node, int count, int[] gpus)
      implements Holding {

    @Override
    public int share() {
      return task.share();
    }

    @Override
    public long gpuMemory() {
      return task.gpuMemory();
    }

    @Override
    public long cpu() {
      return count * task.cpu();
    }

    @Override
    public long memory() {
      return count * task.memory();
    }
  }
}
