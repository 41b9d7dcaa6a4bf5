package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.cli.output.ShellCommand;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gathers what the cells of a sweep left. */
@Command(
    name = "gather",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Gathers what the cells of a sweep left into one table, JSON, CSV and report. Says on the"
          + " error stream how many cells are missing, with exit status 1.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  liquid sweep gather /shared/night --json night-results.json --html report.html"
    })
final class GatherCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "Folder of the sweep.")
  private Path folder = Path.of("");

  @ArgGroup(validate = false, heading = "%nResults (default: a table):%n")
  private final ResultOutputs outputs = new ResultOutputs();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    outputs.check(spec);
    SweepFolder sweep = SweepFolder.at(folder);
    SweepReports reports =
        new SweepReports(
            sweep,
            ShellCommand.running(spec),
            new SettingReader(sweep, spec.commandLine().getErr()));
    SweepResults.of(sweep).write(spec.commandLine().getOut(), outputs, reports);
    return 0;
  }
}
