package io.github.liquidscheduler.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many tasks in one call, on a cluster where nothing runs. */
record Bulk(int hosts, int tasks) {
  /** Time for each task of the call, and what came of it. */
  record Result(Duration wall, Duration cpu, PackingQuality packing) {}

  Result measure(Baseline baseline, Effort effort) {
    List<Task> drawn = Task.draw("task-", tasks, effort.seed());
    Stopwatch warmingUp = Stopwatch.start();
    for (int i = 0;
        i < effort.warmUps() || warmingUp.read().wall().compareTo(effort.warmUpTime()) < 0;
        i++) {
      run(baseline, drawn);
    }
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < effort.repetitions(); i++) {
      runs.add(run(baseline, drawn));
    }
    Duration wall = new Quantiles(runs.stream().map(Run::wall).toList()).median();
    Duration cpu = new Quantiles(runs.stream().map(Run::cpu).toList()).median();
    return new Result(wall.dividedBy(tasks), cpu.dividedBy(tasks), runs.getLast().packing());
  }

  private record Run(Duration wall, Duration cpu, PackingQuality packing) {}

  private Run run(Baseline baseline, List<Task> drawn) {
    try (Baseline.Session session = baseline.open(hosts)) {
      Stopwatch watch = Stopwatch.start();
      session.place(drawn);
      Stopwatch.Reading reading = watch.read();
      return new Run(reading.wall(), reading.cpu(), PackingQuality.of(session.running()));
    }
  }
}
