package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What each task takes of its node and GPUs, booked in the index of free capacity, and who is on
 * each GPU. Not thread-safe.
 */
final class TaskBooks {

  private final CapacityIndex index;
  private final List<List<Resident>> residents;

  private TaskBooks(CapacityIndex index, List<List<Resident>> residents) {
    this.index = index;
    this.residents = residents;
  }

  /** Returns books in which nothing is taken, of an index in which nothing is. */
  static TaskBooks of(CapacityIndex index) {
    ClusterTopology topology = index.topology();
    return new TaskBooks(
        index, new ArrayList<>(Collections.nCopies(topology.gpuCount(), List.<Resident>of())));
  }

  /** Returns the same for a copy of the index. */
  TaskBooks copy(CapacityIndex copied) {
    return new TaskBooks(copied, new ArrayList<>(residents));
  }

  /** Returns who is on a GPU of a node, in the order in which they came. */
  List<Resident> residents(int node, int gpu) {
    return residents.get(index.topology().gpusBefore(node) + gpu);
  }

  /** Returns whether all that a task holds is free where it is placed. */
  boolean hasRoom(TaskPlacement task) {
    ResourceRequest request = task.request();
    int node = node(task);
    boolean fits =
        index.health(node) == NodeHealth.UP
            && index.freeCpu(node) >= cpu(request)
            && index.freeMemory(node) >= memory(request);
    for (int gpu : task.gpus()) {
      fits &=
          gpu < index.gpus(node)
              && !index.isLost(node, gpu)
              && index.freeShare(node, gpu) >= task.share().thousandths()
              && index.freeGpuMemory(node, gpu) >= gpuMemory(request);
    }
    return fits;
  }

  /** Takes what a task has, and lists it on its GPUs. */
  void add(JobId job, TaskPlacement task) {
    take(task);
    Memory memory = task.request().gpuMemory().orElse(Memory.ZERO);
    Resident resident = new Resident(job, task.task(), task.share(), memory);
    int first = firstGpu(task);
    for (int gpu : task.gpus()) {
      int position = first + gpu;
      residents.set(position, with(residents.get(position), resident));
    }
  }

  /** Gives back what a task has, and no longer lists it. */
  void remove(JobId job, TaskPlacement task) {
    giveBack(task);
    int first = firstGpu(task);
    for (int gpu : task.gpus()) {
      int position = first + gpu;
      residents.set(position, without(residents.get(position), job, task));
    }
  }

  /** Takes what a task holds, whoever is listed. */
  void take(TaskPlacement task) {
    index.take(holding(task));
  }

  /** Gives back what a task holds, whoever is listed. */
  void giveBack(TaskPlacement task) {
    index.giveBack(holding(task));
  }

  private Holding holding(TaskPlacement task) {
    ResourceRequest request = task.request();
    return new Holding(
        node(task),
        gpus(task),
        task.share().thousandths(),
        gpuMemory(request),
        cpu(request),
        memory(request));
  }

  private int node(TaskPlacement task) {
    return index.topology().position(task.node());
  }

  private int firstGpu(TaskPlacement task) {
    return index.topology().gpusBefore(node(task));
  }

  private static List<Resident> with(List<Resident> residents, Resident arrival) {
    if (residents.isEmpty()) {
      return List.of(arrival);
    }
    List<Resident> all = new ArrayList<>(residents);
    all.add(arrival);
    return List.copyOf(all);
  }

  private static List<Resident> without(List<Resident> residents, JobId job, TaskPlacement task) {
    return residents.size() == 1
        ? List.of()
        : residents.stream()
            .filter(r -> !(r.job().equals(job) && r.task().equals(task.task())))
            .toList();
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
