package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.simulator.trace.TraceColumns;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceReader;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.trace.TraceWarning;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The trace, its format, and the density of its arrivals. */
public final class TraceOptions {

  @Option(
      names = "--trace",
      required = true,
      paramLabel = "FILE",
      description = "Trace of job submissions; may be compressed with gzip.")
  private Path trace = Path.of("");

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "Format of the trace: csv (the default, for traces of your own), tiresias, gavel,"
              + " shockwave, philly, philly-json, helios, acme, alibaba-2020, alibaba-2023, pollux,"
              + " muri, sacct (of Slurm, with --parsable2), swf (a GPU for each processor) or"
              + " kubernetes (pods as JSON).")
  private String format = TraceFormat.CSV.formatName();

  @Option(
      names = "--columns",
      paramLabel = "NAME=COLUMN",
      split = ",",
      description =
          "What the columns of a csv trace are called, such as submit_time=arrival,num_gpu=gpus;"
              + " an empty COLUMN is not read (default: each by its name).")
  private List<String> columns = List.of();

  @Option(
      names = "--load",
      paramLabel = "FACTOR",
      description =
          "Compress arrivals: divide all times of submission by this factor, from 0.001 to"
              + " 1000 (default: 1).")
  private double load = 1;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** Returns the file of the trace. */
  public Path file() {
    return trace;
  }

  /** Returns the name of its format. */
  public String format() {
    return format;
  }

  /** Returns settings of a run, in the order in which they are added, that begin with these. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("trace", trace.toString());
    settings.put("format", format);
    return settings;
  }

  /** Opens the trace, and prints which jobs were left out to the standard error. */
  public TraceSource open() {
    TraceSource opened = reader().open(trace);
    PrintWriter errors = spec.commandLine().getErr();
    opened
        .warnings()
        .forEach(warning -> errors.printf("%s: left out %s%n", opened.source(), warning));
    errors.flush();
    return load == 1 ? opened : opened.withLoad(load);
  }

  /** Refuses what only a trace of a public format has. */
  public void refuseReading() {
    OptionRules.refuseIf(
        spec,
        !columns.isEmpty() || load != 1,
        "--columns and --load are not for --format " + format);
  }

  /** Adds the options to the settings of a run of {@code trace}. */
  public void addTo(Map<String, String> settings, TraceSource read) {
    if (load != 1) {
      settings.put("load", Double.toString(load));
    }
    if (!read.warnings().isEmpty()) {
      settings.put(
          "left out",
          read.warnings().stream().map(TraceWarning::toString).collect(Collectors.joining("; ")));
    }
  }

  private TraceReader reader() {
    TraceFormat named = TraceFormat.named(format);
    if (columns.isEmpty()) {
      return named.reader();
    }
    OptionRules.refuseIf(spec, named != TraceFormat.CSV, "--columns is for --format csv");
    return TraceFormat.csv(TraceColumns.standard().with(columns));
  }
}
