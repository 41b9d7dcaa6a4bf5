package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.ShellCommand;
import io.github.liquidscheduler.cli.output.UnwritableException;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a sweep as a job array of Slurm. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = {
      "liquid sweep FILE --slurm=DIR [OPTION...]",
      "       liquid sweep gather DIR [OPTION...]",
    },
    description = {
      "Submits the cells of a sweep that have no result yet to Slurm, as a job array. The same"
          + " command again submits those that failed. liquid compare --sweep runs them here.",
      ""
    },
    commandListHeading = "%nCommands:%n",
    subcommands = {GatherCommand.class, RunCellsCommand.class},
    footer = {
      "",
      "Examples:",
      "  liquid sweep night.json --slurm /shared/night --partition cpu --time 1:00:00 \\",
      "      --memory 4G --at-most 50",
      "  liquid sweep gather /shared/night --html report.html",
      "",
      "DIR is on a file system that this machine and the nodes share; so are liquid and the files"
          + " that the sweep names. docs/simulation.md describes the file of a sweep."
    })
public final class SweepCommand implements Callable<Integer> {
  private static final String SUBMITTED = "submitted.txt";

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "The sweep as JSON; may be left out where DIR has one.")
  private @Nullable Path file;

  @Option(
      names = "--slurm",
      paramLabel = "DIR",
      description = "Folder of the script, the logs and the results; is made if there is none.")
  private @Nullable Path folder;

  @Option(
      names = "--no-submit",
      description = "Only write DIR/sweep.sbatch, to be looked at and submitted by hand.")
  private boolean notSubmitted;

  @ArgGroup(validate = false, heading = "%nTasks of the array:%n")
  private final SlurmOptions options = new SlurmOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (folder == null) {
      throw new ParameterException(spec.commandLine(), "Missing required option: '--slurm=DIR'");
    }
    options.check();
    Path home = folder.toAbsolutePath().normalize();
    SweepFolder sweep =
        file == null ? SweepFolder.at(home) : SweepFolder.of(home, SweepReader.read(file));
    PrintWriter out = spec.commandLine().getOut();
    List<SweepCell> due = due(sweep);
    if (due.isEmpty()) {
      out.printf("No cell is due: gather them with %s%n", gather(sweep));
    } else {
      submit(sweep, SlurmArray.of(sweep, options, due), due.size());
    }
    out.flush();
    return 0;
  }

  private void submit(SweepFolder sweep, SlurmArray array, int due) {
    Path script = sweep.path().resolve("sweep.sbatch");
    makeFolder(sweep.path().resolve("logs"));
    sweep.write(script, array.script());
    PrintWriter out = spec.commandLine().getOut();
    if (notSubmitted) {
      out.printf(
          "Wrote %s: %s in %s%n",
          script, Count.of(due, "cell"), Count.of(array.tasks().size(), "task"));
      return;
    }
    String job = SlurmClient.submit(script);
    Path record = sweep.path().resolve(SUBMITTED);
    sweep.write(record, text(record) + job + " " + array.cellsPerTask() + "\n");
    out.printf(
        "Submitted job %s: %d of %s in %s. When they have ended: %s%n",
        job,
        due,
        Count.of(sweep.sweep().cells().size(), "cell"),
        Count.of(array.tasks().size(), "task"),
        gather(sweep));
  }

  private String gather(SweepFolder sweep) {
    return ShellCommand.of(spec, "sweep", "gather", sweep.path().toString());
  }

  /** Returns the cells that have no result and are not about to have one. */
  private List<SweepCell> due(SweepFolder sweep) {
    List<SweepCell> missing = sweep.missing();
    if (missing.isEmpty() || notSubmitted) {
      return missing;
    }
    Set<Integer> queued = new HashSet<>();
    text(sweep.path().resolve(SUBMITTED)).lines().forEach(line -> addQueued(queued, line));
    return missing.stream().filter(cell -> !queued.contains(cell.number())).toList();
  }

  private static void addQueued(Set<Integer> queued, String submitted) {
    String[] words = submitted.split(" ", 2);
    int cellsPerTask = Integer.parseInt(words[1]);
    for (int task : SlurmClient.queued(words[0])) {
      for (int cell = 0; cell < cellsPerTask; cell++) {
        queued.add(task * cellsPerTask + cell);
      }
    }
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read '" + file + "': " + e, e);
    }
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UnwritableException("'" + folder + "'", e);
    }
  }
}
