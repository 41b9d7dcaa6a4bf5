package io.github.liquidscheduler.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** A cluster of which half the GPUs are taken, and about half stay taken as tasks come and go. */
final class HalfFullCluster implements AutoCloseable {
  private final Baseline.Session session;
  private final Deque<Task> running;

  HalfFullCluster(Baseline baseline, int hosts, long seed) {
    session = baseline.open(hosts);
    List<Task> tasks = tasksFor(hosts * Host.GPUS / 2, seed);
    session.place(tasks);
    Collections.shuffle(tasks, new Random(seed));
    running = new ArrayDeque<>(tasks);
  }

  private static List<Task> tasksFor(int gpus, long seed) {
    List<Task> tasks = new ArrayList<>();
    int taken = 0;
    for (Task task : Task.draw("first-", gpus, seed)) {
      taken += task.gpus();
      if (taken > gpus) {
        break;
      }
      tasks.add(task);
    }
    return tasks;
  }

  /** Lets one task finish. They finish in no order that has to do with where they run. */
  void finishOne() {
    session.finish(running.remove());
  }

  /** Lets one task arrive. */
  void place(Task task) {
    session.place(List.of(task));
    running.add(task);
  }

  PackingQuality packing() {
    return PackingQuality.of(session.running());
  }

  @Override
  public void close() {
    session.close();
  }
}
