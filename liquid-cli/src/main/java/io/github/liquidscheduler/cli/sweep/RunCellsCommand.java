package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the cells of one task of a job array. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs the cells of one task of a job array that have no result yet. The script that liquid"
          + " sweep writes does this.",
      ""
    },
    footer = {"", "Example:", "  liquid sweep run /shared/night --task 3"})
final class RunCellsCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "Folder of the sweep.")
  private Path folder = Path.of("");

  @Option(
      names = "--task",
      required = true,
      paramLabel = "INDEX",
      description = "Number of the task, from 0; in an array it is $SLURM_ARRAY_TASK_ID.")
  private int task;

  @Option(
      names = "--cells-per-task",
      paramLabel = "CELLS",
      description = "Cells of a task, at least 1 (default: ${DEFAULT-VALUE}).")
  private int cellsPerTask = 1;

  @Option(
      names = "--threads",
      paramLabel = "CELLS",
      description = "How many cells at a time, at least 1 (default: ${DEFAULT-VALUE}).")
  private int threads = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    require("--task", task, 0);
    require("--cells-per-task", cellsPerTask, 1);
    require("--threads", threads, 1);
    SweepFolder sweep = SweepFolder.at(folder);
    List<SweepCell> own =
        sweep.missing().stream().filter(cell -> cell.number() / cellsPerTask == task).toList();
    new SweepRun(sweep, threads, new SettingReader(sweep, spec.commandLine().getErr())).of(own);
    List<SweepCell> failed = own.stream().filter(cell -> sweep.failed(cell).isPresent()).toList();
    if (!failed.isEmpty()) {
      SweepCell first = failed.getFirst();
      throw new CommandFailedException(
          "%d of %s failed. %s: %s"
              .formatted(
                  failed.size(),
                  Count.of(own.size(), "cell"),
                  first,
                  sweep.failed(first).orElse("")));
    }
    return 0;
  }

  private static void require(String option, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s must be at least %d, but was %d".formatted(option, least, value));
    }
  }
}
