package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.cli.output.DurationArgument;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.simulation.BackfillOptions;
import io.github.liquidscheduler.slurm.SlurmCheck;
import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.slurm.SlurmPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Decides for a Slurm, as a daemon. */
@Command(
    name = "slurm",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Decides when and where the jobs of some partitions of a Slurm start. Slurm keeps the queue,"
          + " the limits and the processes; users go on with sbatch, squeue and scancel.",
      "",
      "Runs until it is stopped, and goes on from its journal when it is started again: jobs run"
          + " on meanwhile, and nothing starts.",
      ""
    },
    subcommands = {
      SlurmWhyCommand.class,
      SlurmPluginCommand.class,
      SlurmReleaseCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  liquid slurm --config slurm.json --dry-run",
      "  liquid slurm --config slurm.json --dry-run --history jobs.txt --backfill easy",
      "  liquid slurm plugin --config slurm.json > /etc/slurm/job_submit.lua",
      "  liquid slurm --config slurm.json --journal /var/lib/liquid --backfill easy",
      "  liquid slurm --config slurm.json --journal /shared/liquid --standby",
      "  liquid slurm why 4711",
      "  liquid slurm release --config slurm.json",
      "",
      DurationArgument.FORM,
      "docs/slurm.md: the first hour, what users see, what to do when something fails."
    })
public final class SlurmCommand implements Callable<Integer> {

  /** Where operators ask, unless they choose another port. */
  static final String PORT = "8460";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "JSON file that names the partitions, and how their jobs are read (docs/slurm.md).")
  private @Nullable Path config;

  @Option(
      names = "--journal",
      paramLabel = "FOLDER",
      description =
          "Where all that happens is written down, for the next start (default:"
              + " ${DEFAULT-VALUE}).")
  private Path journal = Path.of("liquid-journal");

  @Option(
      names = "--dry-run",
      description =
          "Check the set-up, tell what would be started now and why other jobs wait, command"
              + " nothing, and end.")
  private boolean isDry;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description =
          "With --dry-run: what sacct printed of a time past, with --parsable2 (docs/slurm.md)."
              + " Tell how long these jobs would have waited, beside how long they did.")
  private @Nullable Path history;

  @Option(
      names = "--start-overhead",
      paramLabel = "TIME",
      description =
          "With --history: how long a start takes from when it could happen, such as half of"
              + " Slurm's bf_interval (default: 0).")
  private Duration startOverhead = Duration.ZERO;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = PORT,
      description =
          "Port of loopback for /health, /metrics and /why/JOB, 0 for one that is free (default:"
              + " ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--standby",
      description =
          "While another daemon has the journal or a partition, wait, and go on from the journal"
              + " once that one is gone; without it, end at once.")
  private boolean isStandby;

  @Option(
      names = "--trust-cluster",
      description = "Go on though over half of the jobs in the journal are not there any more.")
  private boolean isTrusted;

  @Mixin private final DaemonScheduling scheduling = new DaemonScheduling();

  @ArgGroup(validate = false, heading = "%nBackfill:%n")
  private final BackfillOptions backfill = new BackfillOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    if (config == null) {
      throw new ParameterException(spec.commandLine(), "--config must name a file");
    }
    backfill.check(spec, false);
    OptionRules.refuseIf(spec, history != null && !isDry, "--history is for --dry-run");
    OptionRules.refuseIf(spec, isStandby && isDry, "--standby is not for --dry-run");
    SlurmConfig read = SlurmConfig.read(config);
    SchedulerMaker maker = scheduling.maker(spec, backfill);
    PrintWriter out = spec.commandLine().getOut();
    SlurmPort slurm = SlurmPort.of(read, System::nanoTime);
    if (isDry && history != null) {
      new HistoryRun(read, slurm, maker, out).run(history, startOverhead);
      return 0;
    }
    if (isDry) {
      new DryRun(slurm, maker, out).run(checked(slurm, out));
      return 0;
    }
    checked(slurm, out).stream()
        .filter(check -> check.level() == SlurmCheck.Level.PROBLEM)
        .findFirst()
        .ifPresent(
            problem -> {
              throw new CommandFailedException(problem.line());
            });
    SlurmDaemon daemon = new SlurmDaemon(read, maker, journal, isTrusted, out);
    return isStandby ? daemon.standBy(port) : daemon.run(port);
  }

  private static List<SlurmCheck> checked(SlurmPort slurm, PrintWriter out) throws IOException {
    List<SlurmCheck> checks = slurm.checks();
    checks.forEach(out::println);
    out.flush();
    return checks;
  }
}
