package io.github.liquidscheduler.benchmarks.events;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private BenchSize size = new BenchSize();

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
      names = "--jobs",
      paramLabel = "JOBS",
      defaultValue = "1000",
      description = "Jobs of several sizes (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Override
  public Integer call() {
    BenchSize.printHead();
    for (String rule : rules) {
      new ElasticCluster(rule, policy, size.nodes, jobs, size.seed).run(size.warmUp, size.rounds);
    }
    return 0;
  }
}
