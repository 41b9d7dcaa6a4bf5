package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.capacity.Holding;
import io.github.liquidscheduler.placement.gang.DevicePicker;
import io.github.liquidscheduler.placement.network.RolePair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Translates placements of jobs into assignments of gangs, and back on a cluster. */
public final class GangPlacements {

  private final SlotTable slotTable;
  private final ClusterState state;
  private final DevicePicker devices;

  /** Makes a translator that picks GPUs that are free on the cluster at the time of each call. */
  public GangPlacements(Problem problem, ClusterState state) {
    slotTable = problem.slotTable();
    this.state = state;
    devices = new DevicePicker(state.index());
  }

  /** Returns the assignment of a gang that a placement describes; unassigned if there is none. */
  public static GangAssignment assignmentOf(Problem problem, Gang gang, Placement placement) {
    Map<Integer, int[]> bySlot = new LinkedHashMap<>();
    int[] counted = new int[gang.roles];
    for (TaskPlacement task : placement.tasks()) {
      int role = RolePair.position(gang.job, task.task().role());
      int slot = role < 0 ? -1 : slotOf(problem.slotTable(), gang.gpus[role], task);
      if (slot < 0) {
        return GangAssignment.UNASSIGNED;
      }
      bySlot.computeIfAbsent(slot, any -> new int[gang.roles])[role]++;
      counted[role]++;
    }
    if (!Arrays.equals(counted, gang.count)) {
      return GangAssignment.UNASSIGNED;
    }
    return problem.assignment(
        gang,
        bySlot.keySet().stream().mapToInt(Integer::intValue).toArray(),
        bySlot.values().stream().flatMapToInt(IntStream::of).toArray());
  }

  /** Returns the slot of a node whose GPUs a task is on; -1 if there is none such. */
  private static int slotOf(SlotTable slotTable, int gpus, TaskPlacement task) {
    if (!slotTable.topology.contains(task.node()) || task.gpus().size() != gpus) {
      return -1;
    }
    int node = slotTable.topology.position(task.node());
    int first = slotTable.firstOfNode[node];
    if (task.gpus().isEmpty()) {
      return first;
    }
    List<Gpu> devices = slotTable.topology.nodes().get(node).gpus();
    int at = task.gpus().get(0);
    for (int slot = first; at < devices.size() && slot < slotTable.firstOfNode[node + 1]; slot++) {
      GpuPool pool = slotTable.pools.get(slotTable.pool[slot]);
      if (pool.memory().equals(devices.get(at).memory())
          && pool.model().filter(devices.get(at).model()::equals).isPresent()) {
        return slot;
      }
    }
    return -1;
  }

  /** Returns the placement of a gang that does not run, if it fits. */
  public Optional<Placement> placement(Gang gang, GangAssignment assignment) {
    List<List<TaskPlacement>> byRole = new ArrayList<>();
    gang.job.roles().forEach(role -> byRole.add(new ArrayList<>()));
    for (int i = 0; i < assignment.slots.length; i++) {
      if (assignment.gpus(gang, i) > freeOn(assignment.slots[i])) {
        return Optional.empty();
      }
      addTasks(gang, assignment, i, byRole);
    }
    return Optional.of(new Placement(gang.job.id(), byRole.stream().flatMap(List::stream).toList()))
        .filter(state::fits);
  }

  private int freeOn(int slot) {
    CapacityIndex index = state.index();
    int node = slotTable.node[slot];
    GpuPool pool = index.pools().get(slotTable.pool[slot]);
    return (int)
        IntStream.range(0, index.gpus(node)).filter(gpu -> index.isFree(pool, node, gpu)).count();
  }

  /** Picks GPUs of a slot for all roles; each role must see what those before it took. */
  private void addTasks(
      Gang gang, GangAssignment assignment, int at, List<List<TaskPlacement>> byRole) {
    CapacityIndex index = state.index();
    int slot = assignment.slots[at];
    int node = slotTable.node[slot];
    GpuPool pool = index.pools().get(slotTable.pool[slot]);
    int[][] taken = new int[gang.roles][];
    for (int role = 0; role < gang.roles; role++) {
      int count = assignment.byRole[at * gang.roles + role];
      taken[role] = devices.pick(pool, node, count, gang.gpus[role]);
      index.take(Holding.ofGpus(node, taken[role]));
      addTasks(gang.job.roles().get(role), count, node, taken[role], byRole.get(role));
    }
    for (int[] gpus : taken) {
      index.giveBack(Holding.ofGpus(node, gpus));
    }
  }

  private void addTasks(TaskRole role, int count, int node, int[] gpus, List<TaskPlacement> tasks) {
    NodeId id = slotTable.topology.nodes().get(node).id();
    int each = role.request().gpus();
    for (int task = 0; task < count; task++) {
      List<Integer> held = Arrays.stream(gpus, task * each, (task + 1) * each).boxed().toList();
      tasks.add(new TaskPlacement(new TaskId(role.name(), tasks.size()), id, held, role.request()));
    }
  }
}
