package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.benchmarks.Machine;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what one event costs a scheduler that changes the sizes of running jobs. */
@Command(
    name = "elastic",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times single events on a cluster on which jobs of several sizes run among others, while its"
          + " load rises and falls. Speeds follow Amdahl's law, by the model of the job. Times are"
          + " those of the processor, so that a busy machine shows less."
    })
public final class ElasticBench implements Callable<Integer> {

  @Option(
      names = "--elastic",
      split = ",",
      defaultValue = "elastic-tiresias,afs,marginal,optimus,goodput,deadline",
      description = "Rules of sizes (default: ${DEFAULT-VALUE}).")
  private List<String> rules = List.of();

  @Option(
      names = "--policy",
      defaultValue = "las",
      description = "Scheduling policy, but for deadline (default: ${DEFAULT-VALUE}).")
  private String policy = "";

  @Option(
      names = "--nodes",
      defaultValue = "5000",
      description = "Nodes of 8 GPUs (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--jobs",
      defaultValue = "1000",
      description = "Jobs of several sizes (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--rounds",
      defaultValue = "1000",
      description = "Rounds of events that count (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      defaultValue = "400",
      description = "Rounds before them (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--seed",
      defaultValue = "7",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** Runs the command line. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ElasticBench()).execute(arguments));
  }

  @Override
  public Integer call() {
    System.out.println("Machine: " + Machine.describe());
    Timings.printHead();
    for (String rule : rules) {
      new ElasticCluster(rule, policy, nodes, jobs, seed).run(warmUp, rounds);
    }
    return 0;
  }
}
