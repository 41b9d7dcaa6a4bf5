package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.cli.output.ShellCommand;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A sweep that runs in this process: what {@code liquid compare --sweep} does. */
public final class LocalSweep {
  private static final String SUFFIX = ".json";

  private LocalSweep() {}

  /**
   * Runs the cells that are missing, and writes the results of all. Cells of {@code NAME.json} are
   * kept in {@code NAME.cells} beside it if {@code folder} is null.
   */
  public static void run(
      CommandSpec spec, Path file, @Nullable Path folder, int threads, ResultOutputs outputs) {
    Sweep sweep = SweepReader.read(file);
    SweepFolder kept = SweepFolder.of(folder == null ? beside(file) : folder, sweep);
    SettingReader reader = new SettingReader(kept, spec.commandLine().getErr());
    new SweepRun(kept, threads, reader).of(kept.missing());
    SweepReports reports = new SweepReports(kept, ShellCommand.running(spec), reader);
    SweepResults.of(kept).write(spec.commandLine().getOut(), outputs, reports);
  }

  private static Path beside(Path file) {
    String name = String.valueOf(file.getFileName());
    String stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    return file.resolveSibling(stem + ".cells");
  }
}
