package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.PlacementText;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The job array that runs cells. Task {@code t} runs those of the cells from {@code t} times {@code
 * cellsPerTask} on that have no result.
 */
record SlurmArray(
    SweepFolder folder, SlurmOptions options, int cellsPerTask, SortedSet<Integer> tasks) {

  /** Returns the array that runs these cells. */
  static SlurmArray of(SweepFolder folder, SlurmOptions options, List<SweepCell> cells) {
    int perTask = options.cellsPerTask(folder.sweep().cells().size());
    SortedSet<Integer> tasks = new TreeSet<>();
    cells.forEach(cell -> tasks.add(cell.number() / perTask));
    return new SlurmArray(folder, options, perTask, tasks);
  }

  /** Returns the script for {@code sbatch}. */
  String script() {
    List<String> lines = new ArrayList<>(List.of("#!/bin/sh"));
    lines.add("#SBATCH --job-name=liquid-sweep");
    lines.add("#SBATCH --array=" + PlacementText.ranges(tasks) + options.limit());
    lines.add("#SBATCH --chdir=" + quoted(folder.path().toString()));
    lines.add("#SBATCH --output=logs/%A_%a.log");
    options.directives().forEach(option -> lines.add("#SBATCH " + option));
    if (!options.heap().isEmpty()) {
      lines.add("export JAVA_TOOL_OPTIONS=\"${JAVA_TOOL_OPTIONS:-} " + options.heap() + "\"");
    }
    lines.add(
        "exec %s sweep run . --task \"$SLURM_ARRAY_TASK_ID\" --cells-per-task %d --threads \"${SLURM_CPUS_PER_TASK:-1}\""
            .formatted(inShell(options.liquid()), cellsPerTask));
    return String.join("\n", lines) + "\n";
  }

  /** Returns text as {@code sbatch} reads it in a script: a backslash keeps what follows. */
  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private static String inShell(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
