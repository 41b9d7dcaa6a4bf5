package io.github.liquidscheduler.cli.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The requests of a Slurm array job. */
final class SlurmOptions {
  private static final Pattern MEMORY = Pattern.compile("([1-9]\\d{0,8})([KMGT]?)");
  private static final Pattern TIME = Pattern.compile("[0-9]+([:-][0-9]+){0,3}");
  private static final Pattern PARTITION = Pattern.compile("[\\w.,-]+");

  /** Part of the memory of a task that the heap of its JVM may take. */
  private static final double HEAP = 0.75;

  /** Slurm's {@code MaxArraySize} is 1001 unless a site raises it. */
  private static final int MOST_TASKS = 1000;

  @Option(
      names = "--partition",
      paramLabel = "NAME",
      description = "Partition of the array (default: that of the cluster).")
  private @Nullable String partition;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description =
          "Time limit of a task as Slurm takes it: minutes, such as 30, or hours as in"
              + " 2:00:00, or days and hours as in 1-12 (default: that of the partition).")
  private @Nullable String time;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Memory of a task as Slurm takes it: megabytes, or a number with K, M, G or T, such"
              + " as 4G; three quarters are the most that its JVM takes as heap (default: that of"
              + " the partition).")
  private @Nullable String memory;

  @Option(
      names = "--cpus",
      paramLabel = "CPUS",
      description =
          "Processors of a task, which runs as many cells at once, at least 1 (default: 1).")
  private int cpus = 1;

  @Option(
      names = "--at-most",
      paramLabel = "TASKS",
      description = "Most tasks that run at once, at least 1 (default: no limit).")
  private @Nullable Integer atMost;

  @Option(
      names = "--cells-per-task",
      paramLabel = "CELLS",
      description =
          "Cells that a task runs, at least 1 (default: 1, or as many as it takes to have at"
              + " most 1000 tasks).")
  private @Nullable Integer cellsPerTask;

  @Option(
      names = "--liquid",
      paramLabel = "COMMAND",
      description = "The liquid command on the nodes (default: this one).")
  private @Nullable String liquid;

  /**
   * Checks them.
   *
   * @throws IllegalArgumentException if one is not what Slurm takes
   */
  void check() {
    matches("--partition", partition, PARTITION, "a name");
    matches("--time", time, TIME, "minutes, or a time such as 2:00:00 or 1-12");
    matches("--memory", memory, MEMORY, "a size such as 4G or 500M");
    atLeastOne("--cpus", cpus);
    atLeastOne("--at-most", atMost);
    atLeastOne("--cells-per-task", cellsPerTask);
  }

  private static void matches(String option, @Nullable String value, Pattern form, String rule) {
    if (value != null && !form.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "%s must be %s, but was '%s'".formatted(option, rule, value));
    }
  }

  private static void atLeastOne(String option, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new IllegalArgumentException(option + " must be at least 1, but was " + value);
    }
  }

  int cellsPerTask(int cells) {
    return cellsPerTask == null ? Math.ceilDiv(cells, MOST_TASKS) : cellsPerTask;
  }

  String liquid() {
    return Objects.requireNonNullElse(
        liquid, Objects.requireNonNullElse(System.getProperty("liquid.launcher"), "liquid"));
  }

  /** Returns the suffix of a list of tasks. */
  String limit() {
    return atMost == null ? "" : "%" + atMost;
  }

  /** Returns the options as {@code sbatch} takes them. */
  List<String> directives() {
    List<String> directives = new ArrayList<>();
    if (partition != null) {
      directives.add("--partition=" + partition);
    }
    if (time != null) {
      directives.add("--time=" + time);
    }
    if (memory != null) {
      directives.add("--mem=" + memory);
    }
    directives.add("--cpus-per-task=" + cpus);
    return directives;
  }

  /** Returns the options of the JVM that follow; empty if none do. */
  String heap() {
    if (memory == null) {
      return "";
    }
    Matcher matcher = MEMORY.matcher(memory);
    if (!matcher.matches()) {
      throw new IllegalStateException(memory);
    }
    long mebibytes = Long.parseLong(matcher.group(1));
    double size =
        switch (matcher.group(2)) {
          case "K" -> mebibytes / 1024.0;
          case "G" -> mebibytes * 1024.0;
          case "T" -> mebibytes * 1048576.0;
          default -> mebibytes;
        };
    return "-Xmx%dm".formatted(Math.max(16, Math.round(HEAP * size)));
  }
}
