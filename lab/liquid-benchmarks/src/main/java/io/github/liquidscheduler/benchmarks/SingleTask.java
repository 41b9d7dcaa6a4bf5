package io.github.liquidscheduler.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One task in a call, on a cluster of which half the GPUs are taken and stay taken. */
record SingleTask(int hosts) {
  /** Durations of calls. */
  record Result(Quantiles wall, PackingQuality packing) {}

  /** A tenth of the calls warms up and does not count. */
  Result measure(Baseline baseline, Effort effort) {
    try (HalfFullCluster cluster = new HalfFullCluster(baseline, hosts, effort.seed())) {
      List<Task> arriving = Task.draw("next-", effort.calls(), effort.seed() + 1);
      int warmUps = effort.calls() / 10;
      arriving.subList(0, warmUps).forEach(task -> replaceOne(cluster, task));
      List<Duration> measured =
          measure(cluster, arriving.subList(warmUps, arriving.size()), effort.patience());
      return new Result(new Quantiles(measured), cluster.packing());
    }
  }

  private static List<Duration> measure(
      HalfFullCluster cluster, List<Task> arriving, Duration patience) {
    Stopwatch total = Stopwatch.start();
    List<Duration> measured = new ArrayList<>();
    for (Task task : arriving) {
      measured.add(replaceOne(cluster, task));
      if (total.read().wall().compareTo(patience) > 0) {
        break;
      }
    }
    return measured;
  }

  private static Duration replaceOne(HalfFullCluster cluster, Task next) {
    cluster.finishOne();
    Stopwatch watch = Stopwatch.start();
    cluster.place(next);
    return watch.read().wall();
  }
}
