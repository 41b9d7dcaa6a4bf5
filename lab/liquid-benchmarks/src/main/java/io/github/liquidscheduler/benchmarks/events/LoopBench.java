package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.benchmarks.Machine;
import io.github.liquidscheduler.benchmarks.Quantiles;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.runtime.EventJournal;
import io.github.liquidscheduler.runtime.SchedulerLoop;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long a loop takes from the report of an event to its decisions. */
@Command(
    name = "loop",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Reports events to a loop at a steady rate: on a full cluster jobs end, are submitted and"
          + " report progress. Times go from the report to the decisions, journal included, by the"
          + " clock on the wall: a busy machine shows."
    })
public final class LoopBench implements Callable<Integer>, SchedulerListener {

  @Option(
      names = "--nodes",
      paramLabel = "NODES",
      defaultValue = "5000",
      description = "Nodes of 8 GPUs (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--waiting",
      paramLabel = "JOBS",
      defaultValue = "10000",
      description = "Waiting jobs (default: ${DEFAULT-VALUE}).")
  private int waiting;

  @Option(
      names = "--rate",
      paramLabel = "EVENTS",
      defaultValue = "200",
      description = "Events per second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Seconds that count (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Seconds before them (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--policy",
      defaultValue = "best-effort-fifo",
      description = "Scheduling policy (default: ${DEFAULT-VALUE}).")
  private String policy = "";

  @Option(
      names = "--to-disk",
      description = "Force the journal to the disk before each answer, not to the system only.")
  private boolean toDisk;

  private final Queue<JobId> running = new ConcurrentLinkedQueue<>();
  private final Map<String, List<Duration>> latencies = new TreeMap<>();
  private boolean counts;
  private int submitted;

  @Override
  public Integer call() throws IOException {
    System.out.println("Machine: " + Machine.describe());
    LiquidScheduler scheduler =
        LiquidScheduler.builder(DistinctJobs.cluster(nodes)).policy(Policies.named(policy)).build();
    fill(scheduler);
    Path file = Files.createTempFile("loop", ".journal");
    Files.delete(file);
    JournalHeader header =
        JournalHeader.builder(scheduler).recordDecisions(true).start(scheduler.snapshot()).build();
    try (ScheduledExecutorService deciding = Executors.newScheduledThreadPool(1);
        EventJournalWriter journal =
            EventJournalWriter.create(file, header, EventJournalWriter.Flush.ON_CLOSE)) {
      SchedulerLoop loop =
          SchedulerLoop.builder(scheduler, InstantSource.system())
              .threads(deciding)
              .journal(EventJournal.of(journal::append, toDisk ? journal::force : journal::flush))
              .handler(this::note)
              .listener(this)
              .start();
      report(loop, warmUp);
      loop.ask(s -> counts = true).toCompletableFuture().join();
      report(loop, seconds);
      loop.shutdown().toCompletableFuture().join();
    } finally {
      Files.deleteIfExists(file);
    }
    print();
    return 0;
  }

  /** Fills every GPU, and lets jobs wait. */
  private void fill(Scheduler scheduler) {
    Instant before = Instant.now().minusSeconds(3600);
    int gpus = nodes * 8;
    for (int i = 0; i < gpus / 4 + waiting; i++) {
      scheduler.on(new ClusterEvent.JobSubmitted(before, next())).forEach(this::note);
    }
  }

  private JobSpec next() {
    int number = submitted++;
    int gpus = number < nodes * 2 ? 4 : 1 << number % 4;
    return JobSpec.builder("job-" + number).gpus(gpus).build();
  }

  private void note(Decision decision) {
    if (decision instanceof Decision.Start start) {
      running.add(start.job());
    }
  }

  /** Reports events at the rate, whatever the loop does. */
  private void report(SchedulerLoop loop, int seconds) {
    long begun = System.nanoTime();
    long events = (long) rate * seconds;
    for (long event = 0; event < events; event++) {
      long due = begun + TimeUnit.SECONDS.toNanos(1) * event / rate;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      loop.offer(event(event));
    }
  }

  private Function<Instant, ClusterEvent> event(long number) {
    if (number % 4 == 0) {
      JobSpec job = next();
      return now -> new ClusterEvent.JobSubmitted(now, job);
    }
    JobId job = running.remove();
    if (number % 4 == 1) {
      return now -> new ClusterEvent.JobFinished(now, job);
    }
    running.add(job);
    Progress progress = Progress.of(number, 2);
    return now -> new ClusterEvent.JobProgressed(now, job, progress);
  }

  @Override
  public void decided(
      ClusterEvent event, List<Decision> decisions, TurnTimes times, Scheduler scheduler) {
    if (counts) {
      String kind = event.getClass().getSimpleName();
      latencies.computeIfAbsent(kind, each -> new ArrayList<>()).add(times.total());
      latencies.computeIfAbsent("all", each -> new ArrayList<>()).add(times.total());
    }
  }

  @Override
  public void refused(ClusterEvent event, RuntimeException why) {
    throw new UncheckedIOException(new IOException("refused: " + event, why));
  }

  private void print() {
    System.out.printf(
        "%d nodes, %d waiting jobs, %d events a second, policy %s, journal to %s%n",
        nodes, waiting, rate, policy, toDisk ? "disk" : "system");
    System.out.println("event             count     p50 (ms)     p99 (ms)     max (ms)");
    latencies.forEach(
        (kind, durations) -> {
          Quantiles of = new Quantiles(durations);
          System.out.printf(
              Locale.ROOT,
              "%-15s %7d %12.3f %12.3f %12.3f%n",
              kind,
              of.count(),
              of.median().toNanos() / 1e6,
              of.at(0.99).toNanos() / 1e6,
              of.at(1).toNanos() / 1e6);
        });
  }
}
