package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.Quoted;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The trace formats that can be read, by the names the command line knows them by. */
public enum TraceFormat {
  /** CSV with the columns of {@link TraceColumns#standard()}: the one for traces of one's own. */
  CSV("csv"),

  /**
   * The CSV of the Tiresias simulator, with the columns {@code job_id}, {@code num_gpu}, {@code
   * submit_time}, {@code iterations}, {@code model_name}, {@code duration}.
   */
  TIRESIAS("tiresias"),

  /** The tab separated values of Gavel's simulator: ten or seven columns, no header, steps. */
  GAVEL("gavel"),

  /** The tab separated values of Shockwave: as Gavel's, with durations and batch size modes. */
  SHOCKWAVE("shockwave"),

  /** The job log of Microsoft's Philly traces as it was published: JSON. */
  PHILLY_JSON("philly-json"),

  /**
   * The CSV made of Microsoft's Philly traces, with the columns {@code timestamp}, {@code
   * duration}, {@code num_gpus}, {@code cluster}.
   */
  PHILLY("philly"),

  /** The job log of a cluster of SenseTime's Helios traces: CSV. */
  HELIOS("helios"),

  /** The job log of a cluster of the Acme traces of Shanghai AI Laboratory: CSV. */
  ACME("acme"),

  /** The task table of Alibaba's traces of 2020: CSV without a header. */
  ALIBABA_2020("alibaba-2020"),

  /** The pods of Alibaba's traces of 2023 (openb): CSV. */
  ALIBABA_2023("alibaba-2023"),

  /** The workloads of Pollux: CSV; no durations. */
  POLLUX("pollux"),

  /** The traces of Muri: CSV with times in milliseconds. */
  MURI("muri"),

  /** The output of Slurm's {@code sacct --parsable2}. */
  SACCT("sacct"),

  /** The Standard Workload Format of the Parallel Workloads Archive; processors are GPUs. */
  SWF("swf"),

  /** The output of {@code kubectl get pods -o json}. */
  KUBERNETES("kubernetes");

  private static final Duration SECOND = Duration.ofSeconds(1);

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

  /** Returns a reader of CSV files mapped by {@code columns}. */
  public static TraceReader csv(TraceColumns columns) {
    return new ColumnsReader(columns, SECOND);
  }

  /** Returns the name, such as {@code tiresias}. */
  public String formatName() {
    return formatName;
  }

  /** Returns true if traces of this format may tell what their jobs train. */
  public boolean tellsWorkloads() {
    return switch (this) {
      case CSV, TIRESIAS, GAVEL, SHOCKWAVE, ALIBABA_2020, POLLUX, MURI -> true;
      case PHILLY_JSON, PHILLY, HELIOS, ACME, ALIBABA_2023, SACCT, SWF, KUBERNETES -> false;
    };
  }

  /** Returns the reader of this format. */
  public TraceReader reader() {
    return switch (this) {
      case CSV -> csv(TraceColumns.standard());
      case TIRESIAS -> new TiresiasReader();
      case GAVEL -> GavelTraceReader.gavel();
      case SHOCKWAVE -> GavelTraceReader.shockwave();
      case PHILLY_JSON -> new PhillyLogReader();
      case PHILLY -> csv(PublishedColumns.PHILLY);
      case HELIOS -> csv(PublishedColumns.HELIOS);
      case ACME -> csv(PublishedColumns.ACME);
      case ALIBABA_2020 -> new AlibabaTaskReader();
      case ALIBABA_2023 -> new OpenbPodReader();
      case POLLUX -> csv(PublishedColumns.POLLUX);
      case MURI -> new ColumnsReader(PublishedColumns.MURI, Duration.ofMillis(1));
      case SACCT -> new SlurmJobReader();
      case SWF -> new SwfReader();
      case KUBERNETES -> new KubernetesPodReader();
    };
  }
}
