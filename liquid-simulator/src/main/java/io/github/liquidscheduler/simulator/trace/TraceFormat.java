package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.simulator.input.Quoted;
import java.util.Arrays;
import java.util.List;

/** The public trace formats that can be read, by the names the command line knows them by. */
public enum TraceFormat {
  /**
   * The CSV of the Tiresias simulator, with the columns {@code job_id}, {@code num_gpu}, {@code
   * submit_time}, {@code iterations}, {@code model_name}, {@code duration}.
   */
  TIRESIAS("tiresias"),

  /**
   * The tab separated values of the Gavel simulator: ten or seven columns, no header, work in
   * steps.
   */
  GAVEL("gavel"),

  /**
   * The CSV made of Microsoft's Philly traces, with the columns {@code timestamp}, {@code
   * duration}, {@code num_gpus}, {@code cluster}.
   */
  PHILLY("philly");

  private final String formatName;

  TraceFormat(String formatName) {
    this.formatName = formatName;
  }

  /**
   * Returns the format called {@code name}, such as {@code tiresias}.
   *
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  public static TraceFormat named(String name) {
    return Arrays.stream(values())
        .filter(format -> format.formatName.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a trace format must be one of %s, but was %s"
                        .formatted(String.join(", ", names()), Quoted.of(name))));
  }

  /** Returns the names of all formats. */
  public static List<String> names() {
    return Arrays.stream(values()).map(TraceFormat::formatName).toList();
  }

  /** Returns the name, such as {@code tiresias}. */
  public String formatName() {
    return formatName;
  }

  /** Returns the reader of this format. */
  public TraceReader reader() {
    return switch (this) {
      case TIRESIAS -> new TiresiasReader();
      case GAVEL -> new GavelTraceReader();
      case PHILLY -> new PhillyReader();
    };
  }
}
