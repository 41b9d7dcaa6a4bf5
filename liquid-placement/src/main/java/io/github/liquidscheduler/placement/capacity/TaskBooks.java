package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Idea: take first, check as it goes, and undo on failure, since the tasks of one placement compete
 * for the same node. Amounts and lists of residents are separate, so that a suspended job frees its
 * amounts while it keeps its place among the residents.
 * Invariants: index = capacity minus the amounts taken; residents are in order of arrival and their
 * lists immutable, so copies share them; a call that throws has changed nothing (ClusterStateLaws).
 * Cost: add, remove O(tasks x (GPUs of the node + levels)); take and giveBack of holdings O(nodes
 * of the job x the same); copy O(GPUs + nodes) references.
 */
/**
 * Books the amounts of each task in the index of free capacity, and lists the residents of each
 * GPU. Not thread-safe.
 */
final class TaskBooks {

  private final CapacityIndex index;
  private final List<List<Resident>> residents;
  // The number of tasks listed on each node.
  private final int[] tasks;

  private TaskBooks(CapacityIndex index, List<List<Resident>> residents, int[] tasks) {
    this.index = index;
    this.residents = residents;
    this.tasks = tasks;
  }

  /** Returns the empty books of an idle index. */
  static TaskBooks of(CapacityIndex index) {
    ClusterTopology topology = index.topology();
    return new TaskBooks(
        index,
        new ArrayList<>(Collections.nCopies(topology.gpuCount(), List.<Resident>of())),
        new int[topology.nodes().size()]);
  }

  /** Returns a copy for a copy of the index. */
  TaskBooks copy(CapacityIndex copied) {
    return new TaskBooks(copied, new ArrayList<>(residents), tasks.clone());
  }

  /** Returns true if any task is listed on a node, even if it takes nothing. */
  boolean isUsed(int node) {
    return tasks[node] > 0;
  }

  /**
   * Returns the books of a changed cluster.
   *
   * @param changed its index
   * @param before the position of each of its nodes here; -1 if it comes
   */
  TaskBooks in(CapacityIndex changed, int[] before) {
    List<List<Resident>> moved = new ArrayList<>(changed.topology().gpuCount());
    int[] movedTasks = new int[before.length];
    for (int node = 0; node < before.length; node++) {
      if (before[node] < 0) {
        moved.addAll(Collections.nCopies(changed.gpus(node), List.of()));
      } else {
        int first = index.topology().gpusBefore(before[node]);
        moved.addAll(residents.subList(first, first + changed.gpus(node)));
        movedTasks[node] = tasks[before[node]];
      }
    }
    return new TaskBooks(changed, moved, movedTasks);
  }

  /** Returns the residents of a GPU in order of arrival. */
  List<Resident> residents(int node, int gpu) {
    return residents.get(index.topology().gpusBefore(node) + gpu);
  }

  /** Returns true if all amounts of a placement are free. */
  boolean fits(Placement placement) {
    return isOpen(placement) && isFree(placement);
  }

  private boolean isOpen(Placement placement) {
    return placement.tasks().stream()
        .allMatch(task -> index.topology().contains(task.node()) && isUp(node(task)));
  }

  private boolean isUp(int node) {
    return index.health(node) == NodeHealth.UP;
  }

  /** Returns true if what the tasks of a placement take is free, whatever the health of nodes. */
  boolean isFree(Placement placement) {
    List<TaskPlacement> tasks = placement.tasks();
    int done = 0;
    while (done < tasks.size() && isFree(tasks.get(done), node(tasks.get(done)))) {
      index.take(holding(tasks.get(done++)));
    }
    tasks.subList(0, done).forEach(task -> index.giveBack(holding(task)));
    return done == tasks.size();
  }

  /**
   * Takes the amounts of a placement, and lists its tasks on their GPUs.
   *
   * @throws IllegalStateException if a task does not fit; nothing is then changed
   */
  void add(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      requireFits(isUp(node(task)), placement.job(), task);
    }
    addAgain(placement);
  }

  /** Does as {@link #add}, whatever the health of nodes. */
  void addAgain(Placement placement) {
    List<TaskPlacement> tasks = placement.tasks();
    int done = 0;
    try {
      for (TaskPlacement task : tasks) {
        int node = node(task);
        requireFits(isFree(task, node), placement.job(), task);
        index.take(holding(task, node));
        enlist(placement.job(), task, node);
        done++;
      }
    } finally {
      if (done < tasks.size()) {
        tasks.subList(0, done).forEach(task -> remove(placement.job(), task));
      }
    }
    tighten(placement);
  }

  /** Takes the amounts of a placement, free or not, and lists its tasks on their GPUs. */
  void addHeld(Placement placement) {
    take(placement);
    placement.tasks().forEach(task -> enlist(placement.job(), task, node(task)));
  }

  /**
   * Takes the amounts that a placement held before, whatever the health of its nodes, and lists its
   * tasks among the residents in this order of jobs.
   */
  void putBack(Placement placement, Comparator<JobId> order) {
    take(placement);
    for (TaskPlacement task : placement.tasks()) {
      int node = node(task);
      enlist(placement.job(), task, node);
      int first = index.topology().gpusBefore(node);
      task.gpus().forEach(gpu -> residents.set(first + gpu, sorted(residents(node, gpu), order)));
    }
  }

  private static List<Resident> sorted(List<Resident> residents, Comparator<JobId> order) {
    return residents.size() == 1
        ? residents
        : residents.stream().sorted(Comparator.comparing(Resident::job, order)).toList();
  }

  /**
   * Lists the tasks of {@code to} instead of those of {@code before}. Tasks with the GPUs and
   * request of a former one always fit.
   *
   * @throws IllegalStateException if another task does not fit; nothing is then changed
   */
  void replace(Placement before, Placement to) {
    giveBack(before);
    List<TaskPlacement> taken = new ArrayList<>();
    boolean isDone = false;
    try {
      List<TaskPlacement> others = takeWhatWasHeld(before, to, taken);
      for (TaskPlacement task : others) {
        int node = node(task);
        requireFits(isUp(node) && isFree(task, node), to.job(), task);
        index.take(holding(task, node));
        taken.add(task);
      }
      isDone = true;
    } finally {
      if (!isDone) {
        taken.forEach(task -> index.giveBack(holding(task)));
        take(before);
      }
    }
    before.tasks().forEach(task -> delist(before.job(), task, node(task)));
    to.tasks().forEach(task -> enlist(to.job(), task, node(task)));
    tighten(to);
  }

  /**
   * Takes the amounts of tasks that replace an equal former one, first; returns the other tasks.
   */
  private List<TaskPlacement> takeWhatWasHeld(
      Placement before, Placement to, List<TaskPlacement> taken) {
    List<TaskPlacement> left = new ArrayList<>(before.tasks());
    List<TaskPlacement> others = new ArrayList<>();
    for (TaskPlacement task : to.tasks()) {
      if (isTakenOver(task, left)) {
        index.take(holding(task));
        taken.add(task);
      } else {
        others.add(task);
      }
    }
    return others;
  }

  /** Returns true if one of the tasks left is where this one is, and removes it. */
  private static boolean isTakenOver(TaskPlacement task, List<TaskPlacement> left) {
    for (int i = 0; i < left.size(); i++) {
      if (isWhere(left.get(i), task)) {
        left.remove(i);
        return true;
      }
    }
    return false;
  }

  /** Returns true if a task has the node, GPUs and request of another; its number may differ. */
  private static boolean isWhere(TaskPlacement one, TaskPlacement other) {
    return one.node().equals(other.node())
        && one.gpus().equals(other.gpus())
        && one.request().equals(other.request())
        && (!one.gpus().isEmpty() || one.task().role().equals(other.task().role()));
  }

  /** Gives back the amounts of a placement, and no longer lists its tasks. */
  void remove(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      remove(placement.job(), task);
    }
  }

  /** Takes the amounts of a placement; the lists stay. */
  void take(Placement placement) {
    placement.tasks().forEach(task -> index.take(holding(task)));
    tighten(placement);
  }

  /** Gives back the amounts of a placement; the lists stay. */
  void giveBack(Placement placement) {
    placement.tasks().forEach(task -> index.giveBack(holding(task)));
  }

  /** Takes the amounts that a job holds; the lists stay. */
  void take(List<Holding> held) {
    held.forEach(index::take);
    held.forEach(each -> index.tighten(each.node()));
  }

  /** Gives back the amounts that a job holds; the lists stay. */
  void giveBack(List<Holding> held) {
    held.forEach(index::giveBack);
  }

  private void tighten(Placement placement) {
    @Nullable NodeId last = null;
    for (TaskPlacement task : placement.tasks()) {
      if (!task.node().equals(last)) {
        last = task.node();
        index.tighten(node(task));
      }
    }
  }

  private static void requireFits(boolean fits, JobId job, TaskPlacement task) {
    if (!fits) {
      throw new IllegalStateException(
          "a task must fit where it is placed, but %s with %s does not, for job '%s'"
              .formatted(task, task.request(), job));
    }
  }

  private boolean isFree(TaskPlacement task, int node) {
    ResourceRequest request = task.request();
    boolean fits = index.freeCpu(node) >= cpu(request) && index.freeMemory(node) >= memory(request);
    for (int gpu : task.gpus()) {
      fits &=
          gpu < index.gpus(node)
              && !index.isLost(node, gpu)
              && index.freeShare(node, gpu) >= task.share().thousandths()
              && index.freeGpuMemory(node, gpu) >= gpuMemory(request);
    }
    return fits;
  }

  private void enlist(JobId job, TaskPlacement task, int node) {
    Memory memory = task.request().gpuMemory().orElse(Memory.ZERO);
    Resident resident = new Resident(job, task.task(), task.share(), memory);
    tasks[node]++;
    int first = index.topology().gpusBefore(node);
    for (int gpu : task.gpus()) {
      residents.set(first + gpu, with(residents.get(first + gpu), resident));
    }
  }

  private void remove(JobId job, TaskPlacement task) {
    int node = node(task);
    index.giveBack(holding(task, node));
    delist(job, task, node);
  }

  private void delist(JobId job, TaskPlacement task, int node) {
    tasks[node]--;
    int first = index.topology().gpusBefore(node);
    for (int gpu : task.gpus()) {
      residents.set(first + gpu, without(residents.get(first + gpu), job, task));
    }
  }

  private Holding holding(TaskPlacement task) {
    return holding(task, node(task));
  }

  /** Returns the amounts of a task on the node at a position. */
  static Holding.Amounts holding(TaskPlacement task, int node) {
    ResourceRequest request = task.request();
    return new Holding.Amounts(
        node,
        gpus(task),
        task.share().thousandths(),
        gpuMemory(request),
        cpu(request),
        memory(request));
  }

  private int node(TaskPlacement task) {
    return index.topology().position(task.node());
  }

  private static List<Resident> with(List<Resident> residents, Resident arrival) {
    if (residents.isEmpty()) {
      return List.of(arrival);
    }
    List<Resident> all = new ArrayList<>(residents);
    all.add(arrival);
    return List.copyOf(all);
  }

  /** Returns the residents without the last entry of a task, which may be listed twice. */
  private static List<Resident> without(List<Resident> residents, JobId job, TaskPlacement task) {
    if (residents.size() == 1) {
      return List.of();
    }
    List<Resident> left = new ArrayList<>(residents);
    for (int i = left.size() - 1; i >= 0; i--) {
      if (left.get(i).job().equals(job) && left.get(i).task().equals(task.task())) {
        left.remove(i);
        return List.copyOf(left);
      }
    }
    return residents;
  }

  private static int[] gpus(TaskPlacement task) {
    int[] gpus = new int[task.gpus().size()];
    for (int i = 0; i < gpus.length; i++) {
      gpus[i] = task.gpus().get(i);
    }
    return gpus;
  }

  private static long cpu(ResourceRequest request) {
    return request.cpu().orElse(CpuCores.ZERO).millicores();
  }

  private static long memory(ResourceRequest request) {
    return request.memory().orElse(Memory.ZERO).bytes();
  }

  private static long gpuMemory(ResourceRequest request) {
    return request.gpuMemory().orElse(Memory.ZERO).bytes();
  }
}
