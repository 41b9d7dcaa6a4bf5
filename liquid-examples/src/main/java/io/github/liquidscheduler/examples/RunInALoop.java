package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.micrometer.SchedulerMetrics;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.runtime.EventJournal;
import io.github.liquidscheduler.runtime.SchedulerLoop;
import io.github.liquidscheduler.runtime.forecast.ForecastsElsewhere;
import io.github.liquidscheduler.runtime.forecast.StartInterval;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * The loop around a scheduler that the library offers: events from any thread, a journal before the
 * answers, meters of what happens. Threads and the clock are yours.
 */
public final class RunInALoop implements AutoCloseable {

  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
  private final JournalDirectory journals;
  private final ForecastsElsewhere forecasts;
  private final SchedulerLoop loop;

  /** Starts a loop that goes on from its journals and prints what it decides. */
  public RunInALoop(
      ClusterTopology cluster,
      Clock clock,
      Path folder,
      MeterRegistry registry,
      Consumer<String> out) {
    journals = JournalDirectory.lock(folder);
    forecasts = new ForecastsElsewhere(clock, threads);
    LiquidScheduler scheduler = recover(cluster, out);
    // @start region="loop"
    SchedulerMetrics metrics = SchedulerMetrics.of(registry);
    loop =
        SchedulerLoop.builder(scheduler, clock)
            .threads(threads)
            .journal(EventJournal.of(this::append, () -> commit(scheduler)))
            .handler(decision -> carryOut(decision, out))
            .listener(metrics)
            .start();
    metrics.queue(loop::queued);
    // @end
  }

  // @start region="recover"
  /** Goes on from the journals, with what forecasts have learned, and begins a new segment. */
  private LiquidScheduler recover(ClusterTopology cluster, Consumer<String> operator) {
    LiquidScheduler scheduler =
        journals
            .recover(this::restored, forecasts::decided)
            .map(
                recovered -> {
                  recovered.notes().forEach(operator);
                  return recovered.scheduler();
                })
            .orElseGet(() -> RestartFromAJournal.builder(cluster).build());
    begin(scheduler);
    return scheduler;
  }

  private LiquidScheduler restored(JournalHeader header) {
    Optional.ofNullable(header.attached().get("forecasts")).ifPresent(forecasts::load);
    return RestartFromAJournal.builder(header.cluster()).restore(header.start().orElseThrow());
  }

  // @end

  // @start region="offer"
  /** Takes a job from a user, on any thread. */
  public CompletionStage<List<Decision>> submit(JobSpec job) {
    return loop.offer(now -> new ClusterEvent.JobSubmitted(now, job));
  }

  /** Takes note that a job's processes have ended, on any thread. */
  public CompletionStage<List<Decision>> finished(JobId job) {
    return loop.offer(now -> new ClusterEvent.JobFinished(now, job));
  }

  /** Tells why a job waits. */
  public CompletionStage<String> why(JobId job) {
    return loop.ask(scheduler -> scheduler.explain(job).describe());
  }

  // @end

  /** Tells when a job starts, in nine of ten cases; computed on a thread that decides nothing. */
  public CompletionStage<Optional<StartInterval>> whenStarts(JobId job) {
    return forecasts.forecast(loop, job, 2000);
  }

  // @start region="commit"
  /** Appends to the journal, and tells forecasts the same. */
  private void append(ClusterEvent event, List<Decision> decisions) {
    journals.append(event, decisions);
    forecasts.decided(event, decisions);
  }

  /** Makes events durable, and begins a segment once in a while: that keeps restarts short. */
  private void commit(Scheduler scheduler) {
    journals.force();
    if (journals.events() >= 1000) {
      begin(scheduler);
    }
  }

  private void begin(Scheduler scheduler) {
    journals.rotate(scheduler, Map.of("forecasts", forecasts.save()));
    journals.prune(3);
  }

  // @end

  /** Begins to act, and returns at once. A start comes once those before it have left. */
  private static void carryOut(Decision decision, Consumer<String> out) {
    switch (decision) {
      case Decision.Start start -> out.accept("start " + start.placement());
      case Decision.Reject reject -> out.accept("reject " + reject.job());
      default -> throw new IllegalStateException("the scheduler was not built for " + decision);
    }
  }

  // @start region="close"
  @Override
  public void close() {
    loop.shutdown().toCompletableFuture().join();
    threads.close();
    journals.close();
  }

  // @end

  /** Runs two jobs, one of which has to wait for the other. */
  public static void main(String[] arguments) throws IOException {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    Path folder = Files.createTempDirectory("liquid").resolve("journals");
    Consumer<String> out = System.out::println;
    try (RunInALoop platform =
        new RunInALoop(cluster, Clock.systemUTC(), folder, new SimpleMeterRegistry(), out)) {
      platform.submit(JobSpec.builder("first").gpus(6).build());
      platform.submit(JobSpec.builder("second").gpus(4).build()).toCompletableFuture().join();
      out.accept(platform.why(JobId.of("second")).toCompletableFuture().join());
      platform.finished(JobId.of("first"));
    }
    out.accept("the journals are in " + folder);
  }
}
