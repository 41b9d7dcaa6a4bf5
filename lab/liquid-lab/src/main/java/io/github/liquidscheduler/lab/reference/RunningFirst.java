package io.github.liquidscheduler.lab.reference;

import java.util.ArrayList;
import java.util.List;

/** Puts the jobs that run before those that wait, and keeps the order within each. */
final class RunningFirst {

  private RunningFirst() {}

  static List<CountedJob> of(List<CountedJob> jobs) {
    List<CountedJob> ordered = new ArrayList<>(jobs.size());
    List<CountedJob> waiting = new ArrayList<>();
    for (CountedJob job : jobs) {
      (job.isRunning() ? ordered : waiting).add(job);
    }
    ordered.addAll(waiting);
    return ordered;
  }
}
