package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.cli.output.TemporaryFolder;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.ClusterPort;
import io.github.liquidscheduler.reconcile.Command;
import io.github.liquidscheduler.reconcile.Confirmation;
import io.github.liquidscheduler.reconcile.Observation;
import io.github.liquidscheduler.reconcile.ObservedJob;
import io.github.liquidscheduler.reconcile.Reconciler;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.slurm.SlurmCheck;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** One look at a cluster: what would be started now, and why other jobs wait. */
final class DryRun {

  private final ClusterPort slurm;
  private final SchedulerMaker maker;
  private final PrintWriter out;

  DryRun(ClusterPort slurm, SchedulerMaker maker, PrintWriter out) {
    this.slurm = slurm;
    this.maker = maker;
    this.out = out;
  }

  /**
   * Looks once, and prints what is found.
   *
   * @throws IOException if the journal of this one look cannot be written
   */
  void run(List<SlurmCheck> checks) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.named("liquid-dry-run")) {
      look(folder.path());
    }
    long problems =
        checks.stream().filter(check -> check.level() == SlurmCheck.Level.PROBLEM).count();
    out.printf(
        "Nothing was changed.%s%n",
        problems == 0 ? "" : " Before it can decide: " + Count.of(problems, "problem") + " above.");
    out.flush();
  }

  private void look(Path folder) {
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    Reconciler reconciler =
        Reconciler.builder(new Unchanged(slurm), folder, Clock.systemUTC(), maker)
            .threads(threads)
            .start();
    try {
      reconciler.started().toCompletableFuture().join();
      reconciler.loop().ask(this::print).toCompletableFuture().join();
    } catch (CompletionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new CommandFailedException(Objects.toString(why.getMessage(), why.toString()));
    } finally {
      reconciler.close();
      reconciler.stopped().toCompletableFuture().exceptionally(failure -> null).join();
      threads.shutdownNow();
    }
  }

  private boolean print(Scheduler scheduler) {
    List<JobId> running = scheduler.view().runningJobs().stream().sorted().toList();
    int starts = 0;
    int others = 0;
    for (JobId job : running) {
      Optional<Placement> start = startOf(scheduler, job);
      if (start.isPresent()) {
        starts++;
        out.printf("would start %s on %s%n", job, DecisionLines.nodes(start.get()));
      } else {
        others++;
      }
    }
    List<JobId> waiting = scheduler.waiting();
    for (JobId job : waiting) {
      Explanation why = scheduler.explain(job);
      out.printf("would wait  %s: %s%n", job, firstLine(why.describe()));
    }
    out.printf(
        "%s run, %s would start, %s would wait.%n",
        Count.of(others, "job"), Count.of(starts, "job"), Count.of(waiting.size(), "job"));
    return true;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static Optional<Placement> startOf(Scheduler scheduler, JobId job) {
    return scheduler
        .status(job)
        .map(
            status ->
                status instanceof JobStatus.Launching launching
                    ? launching.placement()
                    : status instanceof JobStatus.Starting starting ? starting.placement() : null);
  }

  /** A manager that is looked at, and commanded nothing. */
  private record Unchanged(ClusterPort port) implements ClusterPort {
    @Override
    public Observation observe() throws IOException {
      return port.observe();
    }

    @Override
    public Optional<ObservedJob> lookUp(JobId job) throws IOException {
      return port.lookUp(job);
    }

    @Override
    public CompletionStage<List<Confirmation>> carryOut(List<Command> commands) {
      return CompletableFuture.completedFuture(
          commands.stream()
              .map(command -> new Confirmation(command, Optional.of("this is a dry run")))
              .toList());
    }

    @Override
    public void onChange(Runnable look) {
      // It looks once.
    }

    @Override
    public Set<Feature> features() {
      return port.features();
    }

    @Override
    public void close() {
      port.close();
    }
  }
}
