package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private BenchSize size = new BenchSize();

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
      names = "--waiting",
      paramLabel = "JOBS",
      defaultValue = "10000",
      description = "Waiting jobs (default: ${DEFAULT-VALUE}).")
  private int waiting;

  @Mixin private ShortEvents shortEvents = new ShortEvents();

  @Option(
      names = "--reservations",
      paramLabel = "JOBS",
      defaultValue = "0",
      description =
          "Waiting jobs that may hold a reservation; 0 for no backfill (default:"
              + " ${DEFAULT-VALUE}).")
  private int reservations;

  @Option(
      names = "--together",
      description = {
        "A tree of queues, grace periods, elastic jobs and shared GPUs at once; to be given with"
            + " --policies priority --reservations 4."
      })
  private boolean together;

  @Option(
      names = "--queues",
      paramLabel = "QUEUES",
      defaultValue = "100",
      description = "Queues with --together (default: ${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--explained",
      paramLabel = "JOBS",
      defaultValue = "10000",
      description = "Waiting jobs to explain at most (default: ${DEFAULT-VALUE}).")
  private int explained;

  @Option(names = "--shared-only", description = "Only progress reports of jobs that share GPUs.")
  private boolean sharedOnly;

  @Option(
      names = "--reports",
      paramLabel = "REPORTS",
      defaultValue = "500",
      description =
          "Progress reports of jobs that share GPUs, after as many to warm up (default:"
              + " ${DEFAULT-VALUE}).")
  private int reports;

  @Option(names = "--policies-only", description = "Leave the other settings out.")
  private boolean policiesOnly;

  @Override
  public Integer call() {
    policies.forEach(Policies::named);
    Placers.named(placer);
    BenchSize.printHead();
    if (sharedOnly) {
      SharedCluster.report(size.seed, shortEvents.startsPerEvent, reports);
      return 0;
    }
    policies.forEach(together ? this::allTogether : this::fullCluster);
    if (!policiesOnly && !together) {
      Scenarios.loseNodes();
      Scenarios.copyAfter(1_000_000);
      SharedCluster.report(size.seed, shortEvents.startsPerEvent, reports);
    }
    return 0;
  }

  private void fullCluster(String policy) {
    DistinctJobs shapes = new DistinctJobs(size.seed);
    LiquidScheduler scheduler = builder(policy).placer(Placers.named(placer)).build();
    FullCluster cluster = new FullCluster(scheduler, shapes, waiting, size.seed);
    run(policy, cluster);
  }

  private void allTogether(String policy) {
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      Together setting = new Together(queues, 8 * size.nodes, size.seed);
      LiquidScheduler scheduler =
          setting.added(builder(policy), predictor, Placers.named(placer)).build();
      run(policy, new FullCluster(scheduler, setting, waiting, size.seed));
    }
  }

  private LiquidScheduler.Builder builder(String policy) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(DistinctJobs.cluster(size.nodes))
            .policy(Policies.named(policy))
            .startsPerEvent(shortEvents.startsPerEvent);
    return reservations > 0 ? builder.backfill(Backfill.reserving(reservations)) : builder;
  }

  private void run(String policy, FullCluster cluster) {
    cluster.run(policy, size.warmUp, size.rounds);
    cluster.explain(policy, explained);
  }
}
