package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what one task costs a scheduler of rounds. */
@Command(
    name = "rounds",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times single events of jobs that train in rounds, on GPUs of four models that are always"
          + " busy, with twice as many jobs as GPUs. Times are those of the processor, so that a"
          + " busy machine shows less."
    })
public final class RoundBench implements Callable<Integer> {

  @Option(
      names = "--gpus",
      paramLabel = "GPUS",
      split = ",",
      defaultValue = "100,1000,10000",
      description = "Sizes of the pool in GPUs (default: ${DEFAULT-VALUE}).")
  private List<Integer> gpus = List.of();

  @Option(
      names = "--tasks",
      paramLabel = "TASKS",
      defaultValue = "100000",
      description = "Tasks that count (default: ${DEFAULT-VALUE}).")
  private int tasks;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "7",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    BenchSize.printHead();
    for (int size : gpus) {
      measure(size, RoundPolicy.scaleFreeHlas());
      measure(size, RoundPolicy.hlas(60, 400));
      measure(size, RoundPolicy.leastAttainedService());
      measure(size, RoundPolicy.shortestRemaining());
    }
    return 0;
  }

  private void measure(int size, RoundPolicy policy) {
    Timings timings = new Timings();
    RoundLoad load = new RoundLoad(policy, size, seed, timings);
    load.run(tasks / 2);
    timings.clear();
    load.run(tasks);
    double perTask = timings.total().toNanos() / 1e3 / tasks;
    for (int loss = 0; loss < 20; loss++) {
      load.replaceGpu();
    }
    String setting = policy.name() + ", " + size + " GPUs";
    timings.print(setting);
    System.out.printf(Locale.ROOT, "%s: %.1f us of processor time for a task%n", setting, perTask);
  }
}
