package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.HtmlOutput;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.cli.output.TemporaryFolder;
import io.github.liquidscheduler.cli.output.TerminalBar;
import io.github.liquidscheduler.reconcile.Reconciler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the same jobs on a private Slurm twice: as Slurm decides, and as Liquid does. */
@Command(
    name = "slurm",
    mixinStandardHelpOptions = true,
    description =
        "Brings up a private Slurm of 16 nodes with 8 fake GPUs each, on loopback, and runs the"
            + " same jobs twice: as Slurm's own backfill decides, and as Liquid does. Takes two"
            + " minutes. Needs Debian's slurmctld, slurmd, slurm-client and munge.",
    footer = {"", DurationArgument.FORM})
public final class DemoSlurmCommand implements Callable<Integer> {

  private static final int NODES = 16;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Option(
      names = "--jobs",
      paramLabel = "JOBS",
      defaultValue = "60",
      description = "Number of jobs, from 1 to 1000 (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--over",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Time over which they are submitted, at least 0 (default: ${DEFAULT-VALUE}).")
  private Duration over = Duration.ZERO;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "What the jobs are drawn from (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      defaultValue = "liquid-demo-slurm.html",
      converter = HtmlOutput.class,
      description = "Where to write the report with charts (default: ${DEFAULT-VALUE}).")
  private OutputFile html = new OutputFile(Path.of("liquid-demo-slurm.html"));

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    OptionRules.refuseIf(
        spec, jobs < 1 || jobs > 1000, "--jobs must be from 1 to 1000, but was " + jobs);
    if (!PrivateSlurm.isInstalled()) {
      throw new CommandFailedException(
          "this needs Slurm. Install it: apt-get install --no-install-recommends slurmctld slurmd"
              + " slurm-client munge");
    }
    List<TrialJob> drawn = TrialJob.draw(jobs, over, seed);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%d jobs of 1 to 32 GPUs that run for 2 to 20 s, on %d nodes of 8 GPUs.%n", jobs, NODES);
    out.flush();
    List<TrialOutcome> alone;
    List<TrialOutcome> decided;
    try (TemporaryFolder folder = TemporaryFolder.named("liquid-demo-slurm")) {
      alone = alone(folder.path(), drawn);
      decided = decided(folder.path(), drawn);
    }
    Table table = Table.of("decided by | mean wait | p95 wait | longest wait | makespan");
    table.row(row("Slurm, backfill", alone));
    table.row(row("Liquid, fifo with backfill", decided));
    table.print(out);
    TrialReport report =
        new TrialReport(drawn, PrivateSlurm.Shape.of(NODES).names(), ShellCommand.running(spec));
    report.add("Slurm, backfill", alone);
    report.add("Liquid, fifo with backfill", decided);
    html.writeText(out, report.report()::appendTo);
    out.printf(
        "%nLiquid was told how long each job runs, in its comment; Slurm knows its --time, one"
            + " minute.%nFor your own Slurm: docs/slurm.md%nReport with charts, for a browser:"
            + " %s%n",
        html.path().toAbsolutePath());
    out.flush();
    return 0;
  }

  private List<TrialOutcome> alone(Path folder, List<TrialJob> drawn) throws IOException {
    Path own = Files.createDirectory(folder.resolve("alone"));
    try (PrivateSlurm slurm = PrivateSlurm.start(own, PrivateSlurm.Shape.of(NODES))) {
      return run("Slurm decides", slurm, drawn);
    }
  }

  private List<TrialOutcome> decided(Path folder, List<TrialJob> drawn) throws IOException {
    Path own = Files.createDirectory(folder.resolve("decided"));
    Path config = folder.resolve("slurm.json");
    Files.writeString(
        config,
        "{\"partitions\": [\"batch\"], \"slurmConf\": \"%s\"}"
            .formatted(own.resolve("slurm.conf")));
    SlurmConfig read = SlurmConfig.read(config);
    PrivateSlurm.Shape shape = PrivateSlurm.Shape.of(NODES).with(SlurmPort.submitPlugin(read));
    ScheduledExecutorService threads = AdapterThreads.two();
    try (PrivateSlurm slurm = PrivateSlurm.start(own, shape)) {
      Reconciler reconciler =
          Reconciler.builder(
                  SlurmPort.of(read, System::nanoTime),
                  folder.resolve("journal"),
                  Clock.systemUTC(),
                  maker())
              .threads(threads)
              .start();
      reconciler.started().toCompletableFuture().join();
      List<TrialOutcome> outcomes = run("Liquid decides", slurm, drawn);
      reconciler.close();
      reconciler.stopped().toCompletableFuture().join();
      return outcomes;
    } finally {
      threads.shutdownNow();
    }
  }

  private static SchedulerMaker maker() {
    return new SchedulerMaker(
        "fifo",
        "best-fit",
        Duration.ZERO,
        Optional.empty(),
        builder -> builder.backfill(Backfill.easy()));
  }

  private static List<TrialOutcome> run(String task, PrivateSlurm slurm, List<TrialJob> drawn)
      throws IOException {
    try (TerminalBar bar = TerminalBar.of(task, " jobs")) {
      return new SlurmTrial(slurm, drawn, LIMIT, ended -> bar.progress(ended, drawn.size())).run();
    }
  }

  private static List<String> row(String name, List<TrialOutcome> outcomes) {
    List<Duration> waits = outcomes.stream().map(TrialOutcome::waited).sorted().toList();
    Duration sum = waits.stream().reduce(Duration.ZERO, Duration::plus);
    LocalDateTime first =
        outcomes.stream().map(TrialOutcome::submitted).min(Comparator.naturalOrder()).orElseThrow();
    LocalDateTime last =
        outcomes.stream().map(TrialOutcome::ended).max(Comparator.naturalOrder()).orElseThrow();
    return List.of(
        name,
        DisplayFormat.time(sum.dividedBy(waits.size())),
        DisplayFormat.time(waits.get((int) Math.ceil(0.95 * waits.size()) - 1)),
        DisplayFormat.time(waits.getLast()),
        DisplayFormat.time(Duration.between(first, last)));
  }
}
