package io.github.liquidscheduler.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/** How many tasks run, and on how many hosts: fewer hosts for the same tasks is better. */
record PackingQuality(int tasks, int hosts) {
  /**
   * Counts, and checks that nothing is given twice; a fast answer that is wrong is not fast.
   *
   * @throws IllegalStateException if a host runs more than it has
   */
  static PackingQuality of(Map<Task, String> running) {
    Map<String, Integer> gpus = new LinkedHashMap<>();
    running.forEach((task, host) -> gpus.merge(host, task.gpus(), Integer::sum));
    gpus.forEach(PackingQuality::check);
    return new PackingQuality(running.size(), gpus.size());
  }

  /** Cores and memory go with GPUs, so a host that has enough GPUs has enough of them too. */
  private static void check(String host, int gpus) {
    if (gpus > Host.GPUS) {
      throw new IllegalStateException(
          "a host has " + Host.GPUS + " GPUs, but tasks on " + host + " take " + gpus);
    }
  }
}
