package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.cli.output.TemporaryFolder;
import io.github.liquidscheduler.cluster.Placement;
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
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** One look at a cluster: what would be started now, and why other jobs wait. */
final class DryRun {

  private final ClusterPort slurm;
  private final SchedulerMaker maker;
  private final PrintWriter out;
  private final Set<Command.Refuse> refused =
      new ConcurrentSkipListSet<>(Comparator.comparing(Command.Refuse::job));

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
    ScheduledExecutorService threads = AdapterThreads.two();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> again = new CompletableFuture<>();
    ClusterPort port = new Unchanged(slurm, () -> noteLook(begun, again), refused::add);
    Reconciler reconciler =
        Reconciler.builder(port, folder, Clock.systemUTC(), maker).threads(threads).start();
    try {
      reconciler.started().toCompletableFuture().join();
      begun.complete(null);
      // The commands of a pass are sent before the next one looks.
      again.join();
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

  private static void noteLook(CompletableFuture<Void> begun, CompletableFuture<Void> again) {
    if (begun.isDone()) {
      again.complete(null);
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
      out.printf("would wait  %s: %s%n", job, scheduler.explain(job).summary());
    }
    refused.forEach(job -> out.printf("would refuse %s: %s%n", job.job(), job.text()));
    out.printf(
        "%s run, %s would start, %s would wait, %s would be refused.%n",
        Count.of(others, "job"),
        Count.of(starts, "job"),
        Count.of(waiting.size(), "job"),
        Count.of(refused.size(), "job"));
    return true;
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
  private record Unchanged(ClusterPort port, Runnable looking, Consumer<Command.Refuse> refused)
      implements ClusterPort {
    @Override
    public Observation observe() throws IOException {
      looking.run();
      return port.observe();
    }

    @Override
    public Optional<ObservedJob> lookUp(JobId job) throws IOException {
      return port.lookUp(job);
    }

    @Override
    public CompletionStage<List<Confirmation>> carryOut(List<Command> commands) {
      for (Command command : commands) {
        if (command instanceof Command.Refuse refuse) {
          refused.accept(refuse);
        }
      }
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
