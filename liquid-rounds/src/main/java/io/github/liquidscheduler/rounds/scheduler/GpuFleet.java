package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The GPUs of the pool, by position and by model. Mutable. */
final class GpuFleet {

  private final TreeMap<Long, PoolGpu> all = new TreeMap<>();
  private final Map<GpuId, PoolGpu> byId = new HashMap<>();
  private final TreeMap<GpuModel, ModelGpus> models = new TreeMap<>();
  private final TreeMap<Long, PoolGpu> leaving = new TreeMap<>();
  private long changes;

  @Nullable PoolGpu find(GpuId id) {
    return byId.get(id);
  }

  @Nullable PoolGpu at(long position) {
    return all.get(position);
  }

  /** Returns all GPUs in the order of their positions. */
  Collection<PoolGpu> all() {
    return all.values();
  }

  /** Returns those of a node, in the order of their positions. */
  List<PoolGpu> of(NodeId node) {
    return all.values().stream().filter(gpu -> gpu.id().node().equals(node)).toList();
  }

  /** Returns the models of which there were GPUs, in the order of their names. */
  Collection<ModelGpus> models() {
    return models.values();
  }

  /** Returns a number that grows whenever GPUs begin or cease to take tasks. */
  long changes() {
    return changes;
  }

  void add(PoolGpu gpu) {
    all.put(gpu.position(), gpu);
    byId.put(gpu.id(), gpu);
    if (gpu.isOpen()) {
      count(gpu, 1);
    } else {
      leaving.put(gpu.position(), gpu);
    }
  }

  void remove(PoolGpu gpu) {
    all.remove(gpu.position());
    byId.remove(gpu.id());
    leaving.remove(gpu.position());
    if (gpu.isOpen()) {
      close(gpu);
    }
  }

  /** Has a GPU take no more tasks until it is given back. */
  void askBack(PoolGpu gpu, Instant until) {
    if (gpu.isOpen()) {
      close(gpu);
      gpu.until = until;
      leaving.put(gpu.position(), gpu);
    } else if (until.isBefore(gpu.until)) {
      gpu.until = until;
    }
  }

  /** Has a GPU that was asked back take tasks again. */
  void keep(PoolGpu gpu) {
    gpu.until = null;
    leaving.remove(gpu.position());
    count(gpu, 1);
  }

  /** Returns the GPUs that have to be given back by {@code now}, in the order of positions. */
  List<PoolGpu> due(Instant now) {
    List<PoolGpu> due = new ArrayList<>();
    for (PoolGpu gpu : leaving.values()) {
      if (gpu.until != null && !gpu.until.isAfter(now)) {
        due.add(gpu);
      }
    }
    return due;
  }

  /** Returns the earliest time at which a GPU has to be given back, if any has to. */
  @Nullable Instant nextDeadline() {
    Instant next = null;
    for (PoolGpu gpu : leaving.values()) {
      if (next == null || (gpu.until != null && gpu.until.isBefore(next))) {
        next = gpu.until;
      }
    }
    return next;
  }

  /** Makes a GPU ready for the policy. */
  void idle(PoolGpu gpu) {
    of(gpu).idle.put(gpu.position(), gpu);
  }

  void occupy(PoolGpu gpu) {
    of(gpu).idle.remove(gpu.position());
  }

  /** Returns how long a task takes on the GPU on which it takes least, in seconds. */
  double fastestSeconds(TaskTimeEstimates times) {
    double least = Double.POSITIVE_INFINITY;
    for (ModelGpus gpus : models.values()) {
      if (gpus.open() > 0) {
        least = Math.min(least, times.seconds(gpus.model()));
      }
    }
    return least;
  }

  /**
   * Returns how long a task takes if all GPUs share it as one, each as fast as it is, in seconds;
   * infinity without GPUs.
   */
  double fleetSeconds(TaskTimeEstimates times) {
    double rate = 0;
    for (ModelGpus gpus : models.values()) {
      rate += gpus.open() / times.seconds(gpus.model());
    }
    return 1 / rate;
  }

  /** Returns how many GPUs take tasks. */
  int open() {
    int open = 0;
    for (ModelGpus gpus : models.values()) {
      open += gpus.open();
    }
    return open;
  }

  private void close(PoolGpu gpu) {
    occupy(gpu);
    count(gpu, -1);
  }

  private void count(PoolGpu gpu, int by) {
    of(gpu).change(by);
    changes++;
  }

  private ModelGpus of(PoolGpu gpu) {
    return models.computeIfAbsent(gpu.model(), ModelGpus::new);
  }
}
