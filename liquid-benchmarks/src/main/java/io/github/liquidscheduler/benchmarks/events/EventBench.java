package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.benchmarks.Machine;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what one event costs a scheduler on which many jobs wait. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times single events on a full cluster on which many jobs wait, each of a shape of its own:"
          + " GPUs, CPU, memory, labels, levels, shares and roles. Then a lost node among many"
          + " running jobs, a copy with many ended ones, and progress reports of jobs that share"
          + " GPUs. Times are those of the processor, so that a busy machine shows less."
    })
public final class EventBench implements Callable<Integer> {

  @Option(
      names = "--policies",
      split = ",",
      defaultValue = "best-effort-fifo,priority,las,srtf",
      description = "Scheduling policies (default: ${DEFAULT-VALUE}).")
  private List<String> policies = List.of();

  @Option(
      names = "--placer",
      defaultValue = "best-fit",
      description = "Placement algorithm (default: ${DEFAULT-VALUE}).")
  private String placer = "";

  @Option(
      names = "--nodes",
      defaultValue = "5000",
      description = "Nodes of 8 GPUs (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--waiting",
      defaultValue = "10000",
      description = "Waiting jobs (default: ${DEFAULT-VALUE}).")
  private int waiting;

  @Option(
      names = "--rounds",
      defaultValue = "1000",
      description = "Rounds of events that count (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      defaultValue = "300",
      description = "Rounds before them (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--starts-per-event",
      defaultValue = "2147483647",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description =
          "Jobs that one event starts at most; what is left is decided by further events, named"
              + " 'again' (default: as many as can).")
  private int startsPerEvent;

  @Option(
      names = "--explained",
      defaultValue = "10000",
      description = "Waiting jobs to explain at most (default: ${DEFAULT-VALUE}).")
  private int explained;

  @Option(names = "--shared-only", description = "Only progress reports of jobs that share GPUs.")
  private boolean sharedOnly;

  @Option(names = "--policies-only", description = "Leave the other settings out.")
  private boolean policiesOnly;

  @Option(
      names = "--seed",
      defaultValue = "7",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    System.out.println("Machine: " + Machine.describe());
    Timings.printHead();
    if (sharedOnly) {
      SharedCluster.report(seed, startsPerEvent);
      return 0;
    }
    policies.forEach(this::fullCluster);
    if (!policiesOnly) {
      Scenarios.loseNodes();
      Scenarios.copyAfter(1_000_000);
      SharedCluster.report(seed, startsPerEvent);
    }
    return 0;
  }

  private void fullCluster(String policy) {
    DistinctJobs shapes = new DistinctJobs(seed);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(DistinctJobs.cluster(nodes))
            .policy(Policies.named(policy))
            .placer(Placers.named(placer))
            .startsPerEvent(startsPerEvent)
            .build();
    FullCluster cluster = new FullCluster(scheduler, shapes, waiting, seed);
    cluster.run(policy, warmUp, rounds);
    cluster.explain(policy, explained);
  }
}
