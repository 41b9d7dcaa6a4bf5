package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Measured speeds of jobs on GPU models, alone, in iterations per second of the whole job: the
 * ground truth of traces that give work in iterations, such as Gavel's. Immutable.
 *
 * <p>A job runs at the speed of its slowest GPU model. For tasks on several nodes the table's
 * figure for that counts, if any. Rate 1 is the table's fastest figure for the job.
 *
 * <p>Beside others a job retains the speed measured for the two alone on one GPU, for any number of
 * workers; of several others, the product. Unmeasured pairs take turns.
 */
public final class ThroughputTable implements GroundTruth {

  private static final Comparator<Map.Entry<GpuModel, Double>> FASTEST_FIRST =
      Map.Entry.<GpuModel, Double>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  private final String source;
  private final Map<Workers, Speeds> speeds;
  private final Map<Pair, Double> retained;

  /** Makes a table; the retained speed of a job beside another is 0 if the two do not fit. */
  ThroughputTable(String source, Map<Workers, Speeds> speeds, Map<Pair, Double> retained) {
    this.source = source;
    this.speeds = speeds;
    this.retained = retained;
  }

  /**
   * Reads a table in the JSON format of the Gavel simulator. Only the figures of jobs alone are
   * used.
   *
   * @throws IllegalArgumentException if there is no such file or it is not such a table; the
   *     message names the file and the rule
   */
  public static ThroughputTable readGavel(Path file) {
    return GavelTable.read(file);
  }

  /** Returns the source of the speeds, such as a file name. */
  public String source() {
    return source;
  }

  /** Returns true if the table has speeds of the job's model on its number of GPUs. */
  public boolean knows(TraceJob job) {
    return speeds.containsKey(new Workers(job.model().orElse(""), job.gpus()));
  }

  /** Returns true if the table has a speed of the job on a GPU model of the cluster. */
  public boolean runs(TraceJob job, ClusterTopology topology) {
    return knows(job) && !usable(job, topology).isEmpty();
  }

  /**
   * Returns the iterations per second of the whole job on GPUs of one model on one node, or 0 if it
   * cannot run there.
   *
   * @throws IllegalArgumentException if the table does not know the job
   */
  public double iterationsPerSecond(TraceJob job, GpuModel model) {
    return speedsOf(job).on(model, false);
  }

  /**
   * Returns the iterations per second of a job beside another on the same GPUs; 0 if that was not
   * measured, as for jobs of several GPUs, or the two do not fit.
   *
   * @throws IllegalArgumentException if the table does not know the job
   */
  public double iterationsPerSecond(TraceJob job, TraceJob other, GpuModel model) {
    boolean isMeasured = job.gpus() == 1 && other.gpus() == 1;
    return isMeasured ? iterationsPerSecond(job, model) * measured(job, other, model).orElse(0) : 0;
  }

  /** Returns the iterations per second of a model on a number of GPUs; 0 if there is no figure. */
  double speed(String model, int gpus, GpuModel gpu, boolean isSpread) {
    Speeds known = speeds.get(new Workers(model, gpus));
    return known == null ? 0 : known.on(gpu, isSpread);
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
    for (GpuModel model : topology.models(placement)) {
      slowest = Math.min(slowest, requireSpeed(job, model, spread));
    }
    return slowest / fastest(job) * placement.gpus() / job.gpus();
  }

  @Override
  public double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
    double product = 1;
    for (TraceJob other : others) {
      double beside = measured(job, other, gpu).orElse(0.5);
      product *= beside > 0 ? beside : 0.5;
    }
    return product;
  }

  @Override
  public boolean fit(List<TraceJob> jobs, GpuModel gpu) {
    for (int i = 0; i < jobs.size(); i++) {
      for (int j = i + 1; j < jobs.size(); j++) {
        if (measured(jobs.get(i), jobs.get(j), gpu).orElse(1) == 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the job's retained speed; 0 if the two do not fit, empty if unmeasured. */
  private OptionalDouble measured(TraceJob job, TraceJob other, GpuModel gpu) {
    Double found =
        retained.get(
            new Pair(
                gpu.name().toLowerCase(Locale.ROOT),
                job.model().orElse(""),
                other.model().orElse("")));
    return found == null ? OptionalDouble.empty() : OptionalDouble.of(found);
  }

  @Override
  public Optional<List<GpuModel>> usableModels(TraceJob job, ClusterTopology topology) {
    Map<GpuModel, Double> usable = usable(job, topology);
    if (usable.isEmpty()) {
      throw new IllegalArgumentException(
          "a job must run on some GPU model of the cluster, but %s has no speed on any of %s, for %s"
              .formatted(source, topology.gpusByModel().keySet(), job));
    }
    return Optional.of(
        usable.entrySet().stream().sorted(FASTEST_FIRST).map(Map.Entry::getKey).toList());
  }

  private Map<GpuModel, Double> usable(TraceJob job, ClusterTopology topology) {
    Speeds known = speedsOf(job);
    Map<GpuModel, Double> usable = new TreeMap<>();
    for (GpuModel model : topology.gpusByModel().keySet()) {
      double speed = known.on(model, false);
      if (speed > 0) {
        usable.put(model, speed);
      }
    }
    return usable;
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
          "%s has no speed of model '%s' on %s, for %s"
              .formatted(source, job.model().orElse(""), Count.of(job.gpus(), "GPU"), job));
    }
    return known;
  }

  /** A model, as the trace spells it, on a number of GPUs. */
  record Workers(String model, int gpus) {}

  /** Two models on one GPU of a GPU model, in lower case; the first is the one that is slowed. */
  record Pair(String gpu, String victim, String other) {}

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
