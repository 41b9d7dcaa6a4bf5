package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what one event costs a scheduler whose jobs stand in many queues. */
@Command(
    name = "queues",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times single events on a full cluster that queues three levels deep share: some hold more"
          + " than is due to them, some less, and jobs of all wait. Then a gang of a queue that"
          + " takes back all that it is guaranteed, and what-if answers. Times are those of the"
          + " processor, so that a busy machine shows less."
    })
public final class QueueBench implements Callable<Integer> {

  @Mixin private BenchSize size = new BenchSize();

  @Option(
      names = "--queues",
      paramLabel = "QUEUES",
      defaultValue = "1000",
      description = "Queues, three levels deep (default: ${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--reclaiming",
      defaultValue = "COMPUTED_SHARES",
      description =
          "Rules by which queues share: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Reclaiming reclaiming = Reclaiming.COMPUTED_SHARES;

  @Option(
      names = "--policy",
      defaultValue = "priority",
      description = "Scheduling policy inside queues (default: ${DEFAULT-VALUE}).")
  private String policy = "";

  @Option(
      names = "--waiting",
      paramLabel = "JOBS",
      defaultValue = "10000",
      description = "Waiting jobs (default: ${DEFAULT-VALUE}).")
  private int waiting;

  @Option(
      names = "--running",
      paramLabel = "JOBS",
      defaultValue = "40000",
      description = "Running jobs, at least (default: ${DEFAULT-VALUE}).")
  private int running;

  @Mixin private ShortEvents shortEvents = new ShortEvents();

  @Option(
      names = "--searches-per-event",
      paramLabel = "JOBS",
      defaultValue = "2147483647",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description =
          "Jobs for which one event looks at most for others that may leave (default: as many as"
              + " need it).")
  private int searchesPerEvent;

  @Option(
      names = "--gang",
      paramLabel = "GPUS",
      defaultValue = "512",
      description = "GPUs of the gang that takes something back (default: ${DEFAULT-VALUE}).")
  private int gang;

  @Option(
      names = "--gpus-of-task",
      paramLabel = "GPUS",
      defaultValue = "1",
      description = "GPUs of each of its tasks (default: ${DEFAULT-VALUE}).")
  private int gpusOfTask;

  @Option(
      names = "--gangs",
      paramLabel = "GANGS",
      defaultValue = "100",
      description = "How often it comes, after a tenth as warm-up (default: ${DEFAULT-VALUE}).")
  private int gangs;

  @Option(
      names = "--answers",
      paramLabel = "ANSWERS",
      defaultValue = "100",
      description = "What-if answers, after a tenth as warm-up (default: ${DEFAULT-VALUE}).")
  private int answers;

  @Override
  public Integer call() {
    BenchSize.printHead();
    QueueForest queueForest = new QueueForest(queues, 8 * size.nodes, gang, reclaiming, size.seed);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(DistinctJobs.cluster(size.nodes))
            .policy(Policies.named(policy))
            .startsPerEvent(shortEvents.startsPerEvent)
            .searchesPerEvent(searchesPerEvent)
            .build();
    QueuedCluster cluster = new QueuedCluster(queueForest, scheduler, size.seed);
    cluster.fill(running, waiting);
    cluster.run(size.warmUp, size.rounds);
    cluster.reclaim(gang / gpusOfTask, gpusOfTask, gangs / 10, gangs);
    cluster.whatIf(answers / 10, answers);
    return 0;
  }
}
