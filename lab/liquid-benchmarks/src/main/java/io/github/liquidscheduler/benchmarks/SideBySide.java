package io.github.liquidscheduler.benchmarks;

import io.github.liquidscheduler.benchmarks.events.ElasticBench;
import io.github.liquidscheduler.benchmarks.events.EventBench;
import io.github.liquidscheduler.benchmarks.events.LoopBench;
import io.github.liquidscheduler.benchmarks.events.QueueBench;
import io.github.liquidscheduler.benchmarks.events.RoundBench;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Times schedulers on the same tasks, in one JVM one after the other, and prints the ratios. */
@Command(
    name = "liquid-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {
      GangLatency.class,
      EventBench.class,
      ElasticBench.class,
      QueueBench.class,
      RoundBench.class,
      LoopBench.class
    },
    description = {
      "Times schedulers side by side on the same tasks and prints a table of ratios.",
      "With 'jmh' as the first argument, passes the others to JMH."
    })
final class SideBySide implements Callable<Integer> {
  /** The first is what the others are compared with. */
  static final List<Baseline> BASELINES =
      List.of(new FenzoBaseline(), LiquidBaseline.bestFit(), LiquidBaseline.leastCost());

  private static final Duration WARM_UP = Duration.ofSeconds(5);

  @Option(
      names = "--hosts",
      paramLabel = "HOSTS",
      split = ",",
      defaultValue = "1000,5000",
      description = "Sizes of the cluster in hosts (default: ${DEFAULT-VALUE}).")
  private List<Integer> hosts = List.of();

  @Option(
      names = "--tasks",
      paramLabel = "TASKS",
      split = ",",
      defaultValue = "1000,10000",
      description = "Tasks in one call in bulk (default: ${DEFAULT-VALUE}).")
  private List<Integer> tasks = List.of();

  @Option(
      names = "--only",
      description = "Run only schedulers whose names begin so; for sizes that others cannot run.")
  private String only = "";

  @Option(
      names = "--repetitions",
      paramLabel = "RUNS",
      defaultValue = "5",
      description = "Timed runs in bulk, of which the median counts (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--calls",
      paramLabel = "CALLS",
      defaultValue = "2000",
      description = "Timed calls of one task, at most (default: ${DEFAULT-VALUE}).")
  private int calls;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Seconds after which no further such call starts (default: ${DEFAULT-VALUE}).")
  private int patience;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "7",
      description = "Seed of the tasks (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** Runs the comparison. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, which says in one line what is wrong with its arguments. */
  static CommandLine commandLine() {
    return new CommandLine(new SideBySide())
        .setExecutionExceptionHandler(
            (failure, command, arguments) -> {
              if (failure instanceof IllegalArgumentException) {
                command.getErr().println("liquid-bench: " + failure.getMessage());
                return CommandLine.ExitCode.USAGE;
              }
              throw failure;
            });
  }

  @Override
  public Integer call() {
    Effort effort = new Effort(2, WARM_UP, repetitions, calls, Duration.ofSeconds(patience), seed);
    List<Baseline> baselines =
        BASELINES.stream().filter(one -> one.name().startsWith(only)).toList();
    if (baselines.isEmpty()) {
      throw new CommandLine.ParameterException(
          new CommandLine(this), "no scheduler's name begins with '" + only + "'");
    }
    Report report = new Report(System.out, baselines);
    report.head(effort);
    report.headBulk();
    for (int size : hosts) {
      for (int count : tasks) {
        Bulk bulk = new Bulk(size, count);
        report.bulk(bulk, baselines.stream().map(one -> bulk.measure(one, effort)).toList());
      }
    }
    report.headSingle();
    for (int size : hosts) {
      SingleTask single = new SingleTask(size);
      report.single(single, baselines.stream().map(one -> single.measure(one, effort)).toList());
    }
    return CommandLine.ExitCode.OK;
  }
}
