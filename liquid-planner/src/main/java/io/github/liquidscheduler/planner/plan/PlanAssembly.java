package io.github.liquidscheduler.planner.plan;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.capacity.Holding;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.DevicePicker;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.ProblemBuilder;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Turns gang assignments into placements by applying them, one by one, to a copy of the cluster:
 * migrations first, each as soon as there is room for it, then the starts. What does not fit after
 * all is left out, so the placements can be carried out in their order.
 */
public final class PlanAssembly {

  private final PlanningInput input;
  private final Problem problem;
  private final ClusterState state;
  private final Map<JobId, Placement> starts = new LinkedHashMap<>();
  private final Map<JobId, Placement> migrations = new LinkedHashMap<>();
  private final GangAssignment[] real;

  private PlanAssembly(PlanningInput input) {
    this.input = input;
    problem = input.problem();
    state = ClusterState.copyOf(input.request().view());
    real = Arrays.stream(problem.gangs()).map(gang -> gang.home).toArray(GangAssignment[]::new);
  }

  /** Returns the placements of a plan. */
  public static PlanAssembly of(PlanningInput input, GangAssignment[] assignments) {
    PlanAssembly assembly = new PlanAssembly(input);
    assembly.placeOthers();
    assembly.migrate(assignments);
    assembly.start(assignments);
    assembly.placeRest();
    return assembly;
  }

  /** Returns where the jobs that start run, in the order of the policy. */
  List<Placement> starts() {
    List<Placement> inOrder = new ArrayList<>();
    for (JobSpec job : input.request().pending()) {
      Placement start = starts.get(job.id());
      if (start != null) {
        inOrder.add(start);
      }
    }
    return inOrder;
  }

  /** Returns where running jobs go, in the order in which there is room for them. */
  Map<JobId, Placement> migrations() {
    return migrations;
  }

  /** Returns the jobs that wait, in the order of the policy. */
  public List<JobId> postponed() {
    return input.request().pending().stream()
        .map(JobSpec::id)
        .filter(job -> !starts.containsKey(job))
        .toList();
  }

  /** Returns the assignments of the gangs as far as they could be applied. */
  public GangAssignment[] assignments() {
    return real;
  }

  private void migrate(GangAssignment[] assignments) {
    Deque<Gang> left = new ArrayDeque<>();
    for (Gang gang : problem.gangs()) {
      if (!gang.home.isUnassigned()
          && !assignments[gang.id].isUnassigned()
          && !assignments[gang.id].isSameAs(gang.home)) {
        left.add(gang);
      }
    }
    int stuck = 0;
    while (stuck < left.size()) {
      Gang gang = left.removeFirst();
      if (migrate(gang, assignments[gang.id])) {
        stuck = 0;
      } else {
        left.addLast(gang);
        stuck++;
      }
    }
  }

  private boolean migrate(Gang gang, GangAssignment to) {
    JobId job = gang.job.id();
    Placement home = state.placement(job).orElseThrow();
    state.release(job);
    if (fits(gang, to)) {
      migrations.put(job, apply(gang, to));
      return true;
    }
    state.apply(gang.job, home);
    return false;
  }

  private void start(GangAssignment[] assignments) {
    for (Gang gang : problem.gangs()) {
      GangAssignment assignment = assignments[gang.id];
      if (gang.home.isUnassigned() && !assignment.isUnassigned() && fits(gang, assignment)) {
        starts.put(gang.job.id(), apply(gang, assignment));
      }
    }
  }

  /** Places the jobs that are not part of the problem where immediate mode placed them. */
  private void placeOthers() {
    for (JobSpec job : input.request().pending()) {
      if (!input.isCarried(job)) {
        input.immediate(job.id()).ifPresent(placement -> apply(job, placement));
      }
    }
  }

  /** Places the jobs that are left wherever they fit. */
  private void placeRest() {
    BestFitPlacer placer = BestFitPlacer.bestFit();
    for (JobSpec job : input.request().pending()) {
      if (!starts.containsKey(job.id())) {
        placer.place(state, job).ifPresent(placement -> apply(job, placement));
      }
    }
    for (Gang gang : problem.gangs()) {
      Placement start = starts.get(gang.job.id());
      if (start != null && real[gang.id].isUnassigned()) {
        real[gang.id] = ProblemBuilder.assignmentOf(problem, gang, start);
      }
    }
  }

  private void apply(JobSpec job, Placement placement) {
    state.apply(job, placement);
    starts.put(job.id(), placement);
  }

  private Placement apply(Gang gang, GangAssignment assignment) {
    Placement placement = placement(gang, assignment);
    state.apply(gang.job, placement);
    real[gang.id] = assignment;
    return placement;
  }

  private boolean fits(Gang gang, GangAssignment assignment) {
    SlotTable slotTable = problem.slotTable();
    Map<Integer, long[]> hosts = new LinkedHashMap<>();
    for (int i = 0; i < assignment.slots.length; i++) {
      int slot = assignment.slots[i];
      int node = slotTable.node[slot];
      long[] host = hosts.computeIfAbsent(node, any -> new long[2]);
      int gpus = 0;
      for (int role = 0; role < gang.roles; role++) {
        int count = assignment.byRole[i * gang.roles + role];
        gpus += count * gang.gpus[role];
        host[0] += count * gang.cpu[role];
        host[1] += count * gang.memory[role];
      }
      if (gpus > freeOn(slot)
          || host[0] > state.index().freeCpu(node)
          || host[1] > state.index().freeMemory(node)) {
        return false;
      }
    }
    return true;
  }

  private int freeOn(int slot) {
    SlotTable slotTable = problem.slotTable();
    var pool = state.index().pools().get(slotTable.pool[slot]);
    int free = 0;
    for (int gpu = 0; gpu < state.index().gpus(slotTable.node[slot]); gpu++) {
      free += state.index().isFree(pool, slotTable.node[slot], gpu) ? 1 : 0;
    }
    return free;
  }

  private Placement placement(Gang gang, GangAssignment assignment) {
    List<List<TaskPlacement>> byRole = new ArrayList<>();
    gang.job.roles().forEach(role -> byRole.add(new ArrayList<>()));
    for (int i = 0; i < assignment.slots.length; i++) {
      addTasks(gang, assignment, i, byRole);
    }
    return new Placement(gang.job.id(), byRole.stream().flatMap(List::stream).toList());
  }

  /** Picks GPUs of a slot for all roles; each role must see what those before it took. */
  private void addTasks(
      Gang gang, GangAssignment assignment, int at, List<List<TaskPlacement>> byRole) {
    CapacityIndex index = state.index();
    DevicePicker devices = new DevicePicker(index);
    int slot = assignment.slots[at];
    int node = problem.slotTable().node[slot];
    GpuPool pool = index.pools().get(problem.slotTable().pool[slot]);
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
    NodeId id = problem.slotTable().topology.nodes().get(node).id();
    int each = role.request().gpus();
    for (int task = 0; task < count; task++) {
      List<Integer> held =
          IntStream.range(task * each, (task + 1) * each).mapToObj(i -> gpus[i]).toList();
      tasks.add(new TaskPlacement(new TaskId(role.name(), tasks.size()), id, held, role.request()));
    }
  }
}
