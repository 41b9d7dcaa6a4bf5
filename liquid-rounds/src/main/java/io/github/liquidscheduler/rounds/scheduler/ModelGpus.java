package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.TreeMap;

/** The GPUs of one model that take tasks. Mutable. */
final class ModelGpus {

  /** Those of them that compute nothing and have no task of a plan before them, by position. */
  final TreeMap<Long, PoolGpu> idle = new TreeMap<>();

  private final GpuModel model;
  private int open;

  ModelGpus(GpuModel model) {
    this.model = model;
  }

  GpuModel model() {
    return model;
  }

  /** Returns how many there are. */
  int open() {
    return open;
  }

  void change(int by) {
    open += by;
  }
}
