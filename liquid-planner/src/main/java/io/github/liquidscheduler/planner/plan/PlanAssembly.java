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
 * Turns places into placements by making them real, one by one, on a copy of the cluster:
 * migrations first, each as soon as there is room for it, then the starts. What does not fit after
 * all is left out, so whatever comes out of here can be done in its order.
 */
public final class PlanAssembly {

  private final PlanningInput draft;
  private final Problem problem;
  private final ClusterState state;
  private final Map<JobId, Placement> starts = new LinkedHashMap<>();
  private final Map<JobId, Placement> migrations = new LinkedHashMap<>();
  private final GangAssignment[] real;

  private PlanAssembly(PlanningInput draft) {
    this.draft = draft;
    problem = draft.problem();
    state = ClusterState.copyOf(draft.request().view());
    real = Arrays.stream(problem.gangs()).map(gang -> gang.home).toArray(GangAssignment[]::new);
  }

  /** Returns the placements of a plan. */
  public static PlanAssembly of(PlanningInput draft, GangAssignment[] places) {
    PlanAssembly assembly = new PlanAssembly(draft);
    assembly.placeOthers();
    assembly.migrate(places);
    assembly.start(places);
    assembly.placeRest();
    return assembly;
  }

  /** Returns where the jobs that start run, in the order of the policy. */
  List<Placement> starts() {
    List<Placement> inOrder = new ArrayList<>();
    for (JobSpec job : draft.request().pending()) {
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
    return draft.request().pending().stream()
        .map(JobSpec::id)
        .filter(job -> !starts.containsKey(job))
        .toList();
  }

  /** Returns the places of the gangs that became real. */
  public GangAssignment[] places() {
    return real;
  }

  private void migrate(GangAssignment[] places) {
    Deque<Gang> left = new ArrayDeque<>();
    for (Gang gang : problem.gangs()) {
      if (!gang.home.isUnassigned()
          && !places[gang.id].isUnassigned()
          && !places[gang.id].isSameAs(gang.home)) {
        left.add(gang);
      }
    }
    int stuck = 0;
    while (stuck < left.size()) {
      Gang gang = left.removeFirst();
      if (migrate(gang, places[gang.id])) {
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

  private void start(GangAssignment[] places) {
    for (Gang gang : problem.gangs()) {
      GangAssignment place = places[gang.id];
      if (gang.home.isUnassigned() && !place.isUnassigned() && fits(gang, place)) {
        starts.put(gang.job.id(), apply(gang, place));
      }
    }
  }

  /** Places what the arrays do not carry where immediate mode placed it. */
  private void placeOthers() {
    for (JobSpec job : draft.request().pending()) {
      if (!draft.isCarried(job)) {
        draft.immediate(job.id()).ifPresent(placement -> apply(job, placement));
      }
    }
  }

  /** Places what is left wherever it fits. */
  private void placeRest() {
    BestFitPlacer placer = BestFitPlacer.bestFit();
    for (JobSpec job : draft.request().pending()) {
      if (!starts.containsKey(job.id())) {
        placer.place(state, job).ifPresent(placement -> apply(job, placement));
      }
    }
    for (Gang gang : problem.gangs()) {
      Placement start = starts.get(gang.job.id());
      if (start != null && real[gang.id].isUnassigned()) {
        real[gang.id] = ProblemBuilder.placeOf(problem, gang, start);
      }
    }
  }

  private void apply(JobSpec job, Placement placement) {
    state.apply(job, placement);
    starts.put(job.id(), placement);
  }

  private Placement apply(Gang gang, GangAssignment place) {
    Placement placement = placement(gang, place);
    state.apply(gang.job, placement);
    real[gang.id] = place;
    return placement;
  }

  private boolean fits(Gang gang, GangAssignment place) {
    SlotTable slotTable = problem.slotTable();
    Map<Integer, long[]> hosts = new LinkedHashMap<>();
    for (int i = 0; i < place.slots.length; i++) {
      int slot = place.slots[i];
      int node = slotTable.node[slot];
      long[] host = hosts.computeIfAbsent(node, any -> new long[2]);
      int gpus = 0;
      for (int role = 0; role < gang.roles; role++) {
        int count = place.byRole[i * gang.roles + role];
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

  private Placement placement(Gang gang, GangAssignment place) {
    List<List<TaskPlacement>> byRole = new ArrayList<>();
    gang.job.roles().forEach(role -> byRole.add(new ArrayList<>()));
    for (int i = 0; i < place.slots.length; i++) {
      addTasks(gang, place, i, byRole);
    }
    return new Placement(gang.job.id(), byRole.stream().flatMap(List::stream).toList());
  }

  /** Picks GPUs of a slot for all roles; each must see what those before it took. */
  private void addTasks(Gang gang, GangAssignment place, int at, List<List<TaskPlacement>> byRole) {
    CapacityIndex index = state.index();
    DevicePicker devices = new DevicePicker(index);
    int slot = place.slots[at];
    int node = problem.slotTable().node[slot];
    GpuPool pool = index.pools().get(problem.slotTable().pool[slot]);
    int[][] taken = new int[gang.roles][];
    for (int role = 0; role < gang.roles; role++) {
      int count = place.byRole[at * gang.roles + role];
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
