package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.micrometer.SchedulerMetrics;
import io.github.liquidscheduler.reconcile.Reconciler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.text.Text;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A process that decides for a Slurm until it is stopped. */
final class SlurmDaemon {

  /** The status of a process that cannot write, as of {@code sysexits.h}. */
  private static final int CANNOT_WRITE = 74;

  private static final int SECONDS_TO_STOP = 10;

  private final SlurmConfig config;
  private final SlurmPort slurm;
  private final Duration poll;
  private final Duration startTimeout;
  private final SchedulerMaker maker;
  private final Path journal;
  private final boolean isTrusted;
  private final PrintWriter out;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Makes a daemon; {@code isTrusted} if the journal may know jobs that are not there. */
  SlurmDaemon(
      SlurmConfig config, SchedulerMaker maker, Path journal, boolean isTrusted, PrintWriter out) {
    this.config = config;
    slurm = SlurmPort.of(config, System::nanoTime);
    poll = config.poll();
    startTimeout = config.startTimeout();
    this.maker = maker;
    this.journal = journal;
    this.isTrusted = isTrusted;
    this.out = out;
  }

  /**
   * Decides until the process is told to stop; returns its exit status.
   *
   * @throws CommandFailedException if another process decides
   */
  int run(int port) {
    PartitionLocks locks = PartitionLocks.of(config);
    try (locks;
        OperatorServer server = OperatorServer.on(port)) {
      return decide(server);
    }
  }

  /** Does the same once no other process decides. */
  int standBy(int port) {
    try (OperatorServer server = OperatorServer.on(port)) {
      Standby standby = new Standby(config, journal, holder -> standsBy(server, holder));
      while (true) {
        PartitionLocks locks = standby.await();
        try (locks) {
          return decide(server);
        } catch (CommandFailedException e) {
          if (standby.holder().isEmpty()) {
            throw e;
          }
          // Another one that stood by was faster.
        }
      }
    }
  }

  private void standsBy(OperatorServer server, String holder) {
    server.answer(OperatorServer.Answers.standingBy(holder));
    out.printf(
        "standing by: %s; http://127.0.0.1:%d has /health%n",
        Text.line(holder, 1000), server.port());
    out.flush();
  }

  private int decide(OperatorServer server) {
    ScheduledExecutorService threads = AdapterThreads.two();
    try (Reconciler reconciler = started(threads)) {
      server.answer(answers(reconciler));
      stopWithTheProcess(reconciler);
      out.printf(
          "deciding; the journal is in %s; http://127.0.0.1:%d has /health, /metrics, /why/JOB%n",
          journal, server.port());
      out.flush();
      await(reconciler.stopped());
      return 0;
    } catch (UncheckedIOException e) {
      out.println("cannot go on: " + e.getMessage());
      out.flush();
      return CANNOT_WRITE;
    } finally {
      threads.shutdownNow();
    }
  }

  private Reconciler started(ScheduledExecutorService threads) {
    SchedulerMetrics metrics = SchedulerMetrics.of(registry);
    DecisionLines lines = new DecisionLines(out);
    Reconciler.Builder builder =
        Reconciler.builder(slurm, journal, Clock.systemUTC(), maker)
            .threads(threads)
            .lookEvery(poll)
            .startTimeout(startTimeout)
            .operator(lines::line)
            .loop(loop -> loop.listener(metrics).listener(lines));
    Reconciler reconciler = begin(isTrusted ? builder.trustCluster() : builder);
    maker
        .queues()
        .ifPresent(
            tree ->
                await(reconciler.loop().offer(now -> new ClusterEvent.QueuesChanged(now, tree))));
    metrics.queue(reconciler.loop()::queued);
    return reconciler;
  }

  /** Starts it; another that has the journal, or a journal that does not fit, is a failure. */
  private static Reconciler begin(Reconciler.Builder builder) {
    try {
      Reconciler reconciler = builder.start();
      await(reconciler.started());
      return reconciler;
    } catch (IllegalStateException e) {
      throw new CommandFailedException(Objects.toString(e.getMessage(), e.toString()));
    }
  }

  private OperatorServer.Answers answers(Reconciler reconciler) {
    return new OperatorServer.Answers(
        reconciler::ill,
        () -> registry.scrape() + AdapterMeters.text(reconciler.counts()),
        job ->
            await(
                reconciler
                    .loop()
                    .ask(scheduler -> why(scheduler, reconciler.ownId(JobId.of(job)).value()))));
  }

  /** Returns what is known of a job, for people. */
  static Optional<String> why(Scheduler scheduler, String name) {
    JobId job = JobId.of(name);
    return scheduler
        .status(job)
        .map(
            status ->
                switch (status) {
                  case JobStatus.Waiting waiting -> scheduler.explain(job).describe();
                  case JobStatus.Stopping stopping -> scheduler.explain(job).describe();
                  case JobStatus.Starting starting ->
                      "job '%s' starts on %s after %s"
                          .formatted(job, starting.placement().nodes(), starting.after());
                  case JobStatus.Launching launching ->
                      "job '%s' was told to start on %s at %s"
                          .formatted(job, launching.placement().nodes(), launching.since());
                  case JobStatus.Running running ->
                      "job '%s' runs on %s since %s"
                          .formatted(job, running.placement().nodes(), running.since());
                  case JobStatus.Resizing resizing ->
                      "job '%s' runs on %s and changes its size"
                          .formatted(job, resizing.placement().nodes());
                  case JobStatus.Moving moving ->
                      "job '%s' runs on %s and moves to %s"
                          .formatted(job, moving.placement().nodes(), moving.next().nodes());
                  case JobStatus.Ended ended ->
                      ended
                          .why()
                          .map(text -> "job '%s' is over: %s".formatted(job, text))
                          .orElse("job '%s' is over".formatted(job));
                });
  }

  private static void stopWithTheProcess(Reconciler reconciler) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  reconciler.close();
                  reconciler
                      .stopped()
                      .toCompletableFuture()
                      .completeOnTimeout(null, SECONDS_TO_STOP, TimeUnit.SECONDS)
                      .join();
                }));
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
