package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Measured speeds of jobs on GPU models, alone, in iterations per second of the whole job: the
 * ground truth of traces that tell work in iterations, such as Gavel's. Immutable.
 *
 * <p>A job runs as fast as on the slowest GPU model it was given. If its tasks are on several nodes
 * and the table has a figure for that, that one counts. Rate 1 is the fastest figure that the table
 * has for the job.
 */
public final class ThroughputTable implements JobSpeed {

  private static final Comparator<Map.Entry<GpuModel, Double>> FASTEST_FIRST =
      Map.Entry.<GpuModel, Double>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  private final String source;
  private final Map<Workers, Speeds> speeds;

  ThroughputTable(String source, Map<Workers, Speeds> speeds) {
    this.source = source;
    this.speeds = speeds;
  }

  /**
   * Reads a table in the JSON format of the Gavel simulator. Only the figures of jobs alone are
   * used.
   *
   * @throws IllegalArgumentException if there is no such file or it is not such a table; the
   *     message names the file and the rule
   */
  public static ThroughputTable readGavel(Path file) {
    return GavelThroughputs.read(file);
  }

  @Override
  public Duration work(TraceJob job) {
    double seconds = iterations(job) / fastest(job);
    if (seconds > TraceJob.LONGEST.toSeconds()) {
      throw new IllegalArgumentException(
          "a job must run for at most %s, but by %s it runs for %.0f s, for %s"
              .formatted(TraceJob.LONGEST, source, seconds, job));
    }
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    boolean spread = placement.nodes().size() > 1;
    double slowest = Double.POSITIVE_INFINITY;
    for (TaskPlacement task : placement.tasks()) {
      for (int gpu : task.gpus()) {
        GpuModel model = topology.gpu(new GpuId(task.node(), gpu)).model();
        slowest = Math.min(slowest, requireSpeed(job, model, spread));
      }
    }
    return slowest / fastest(job) * placement.gpus() / job.gpus();
  }

  @Override
  public Optional<List<GpuModel>> usableModels(TraceJob job, ClusterTopology topology) {
    Speeds known = speedsOf(job);
    Map<GpuModel, Double> usable = new TreeMap<>();
    for (GpuModel model : topology.gpusByModel().keySet()) {
      double speed = known.on(model, false);
      if (speed > 0) {
        usable.put(model, speed);
      }
    }
    if (usable.isEmpty()) {
      throw new IllegalArgumentException(
          "a job must run on some GPU model of the cluster, but %s has no speed on any of %s, for %s"
              .formatted(source, topology.gpusByModel().keySet(), job));
    }
    return Optional.of(
        usable.entrySet().stream().sorted(FASTEST_FIRST).map(Map.Entry::getKey).toList());
  }

  private double requireSpeed(TraceJob job, GpuModel model, boolean spread) {
    double speed = speedsOf(job).on(model, spread);
    if (!(speed > 0)) {
      throw new IllegalArgumentException(
          "%s has no speed of %s on %s, where it was placed".formatted(source, job, model));
    }
    return speed;
  }

  private double fastest(TraceJob job) {
    return speedsOf(job).fastest();
  }

  private long iterations(TraceJob job) {
    return job.iterations()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a job must have iterations for a throughput table to tell its duration, but"
                        + " had none, for "
                        + job));
  }

  private Speeds speedsOf(TraceJob job) {
    Speeds known = speeds.get(new Workers(job.model().orElse(""), job.gpus()));
    if (known == null) {
      throw new IllegalArgumentException(
          "%s has no speed of model '%s' on %d GPUs, for %s"
              .formatted(source, job.model().orElse(""), job.gpus(), job));
    }
    return known;
  }

  /** A model, as the trace spells it, on a number of GPUs. */
  record Workers(String model, int gpus) {}

  /** Iterations per second by GPU model, in lower case, on one node and on several. */
  record Speeds(Map<String, Double> together, Map<String, Double> spread) {

    Speeds() {
      this(new TreeMap<>(), new TreeMap<>());
    }

    /** Returns the iterations per second, or 0 if it cannot run there. */
    double on(GpuModel gpu, boolean isSpread) {
      String name = gpu.name().toLowerCase(Locale.ROOT);
      double compact = together.getOrDefault(name, 0.0);
      double apart = spread.getOrDefault(name, 0.0);
      return isSpread && apart > 0 ? apart : compact;
    }

    double fastest() {
      return together.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }
}
