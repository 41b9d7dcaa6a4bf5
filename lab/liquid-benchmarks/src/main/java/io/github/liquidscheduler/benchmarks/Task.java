package io.github.liquidscheduler.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A task that runs on one host and takes its share of cores and memory with its GPUs. */
record Task(String id, int gpus) {
  static final int CORES_PER_GPU = 8;
  static final int GIB_PER_GPU = 64;

  int cores() {
    return gpus * CORES_PER_GPU;
  }

  int memoryGib() {
    return gpus * GIB_PER_GPU;
  }

  /** Draws tasks of 1, 2, 4 and 8 GPUs with 50, 20, 15 and 15 percent. */
  static List<Task> draw(String prefix, int count, long seed) {
    Random random = new Random(seed);
    List<Task> tasks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      tasks.add(new Task(prefix + i, gpus(random.nextInt(100))));
    }
    return tasks;
  }

  private static int gpus(int percent) {
    if (percent < 50) {
      return 1;
    }
    if (percent < 70) {
      return 2;
    }
    return percent < 85 ? 4 : 8;
  }
}
