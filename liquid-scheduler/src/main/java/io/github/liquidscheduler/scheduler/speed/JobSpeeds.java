package io.github.liquidscheduler.scheduler.speed;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Progress;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The speeds of jobs by GPU model, relative to the fastest model that they may use and the cluster
 * has. GPUs are assumed to be on the fewest nodes.
 */
public final class JobSpeeds {

  private static final Comparator<Map.Entry<GpuModel, Double>> FASTEST_FIRST =
      Map.Entry.<GpuModel, Double>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  private final PerformancePredictor predictor;
  private Nodes nodes = new Nodes(null, Map.of());

  /** The largest number of GPUs per node, by model. */
  private record Nodes(@Nullable ClusterTopology of, Map<GpuModel, Integer> largest) {}

  /** Makes speeds from a predictor. */
  public JobSpeeds(PerformancePredictor predictor) {
    this.predictor = predictor;
  }

  /**
   * Returns the speeds by GPU model, fastest first, which is 1; models of unknown speed are
   * omitted. Empty if the job needs no GPU or nothing is known.
   */
  public Map<GpuModel, Double> of(JobSpec job, SeenSpeeds seen, ClusterTopology topology) {
    Map<GpuModel, Double> speeds = new TreeMap<>();
    if (job.gpus() > 0) {
      for (Map.Entry<GpuModel, Integer> model : largestNodes(topology).entrySet()) {
        if (job.gpuModels().isEmpty() || job.gpuModels().contains(model.getKey())) {
          predict(job, model.getKey(), model.getValue(), topology, speeds);
        }
      }
    }
    seen.correct(speeds);
    double fastest = speeds.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    Map<GpuModel, Double> ordered = new LinkedHashMap<>();
    speeds.entrySet().stream()
        .sorted(FASTEST_FIRST)
        .forEach(speed -> ordered.put(speed.getKey(), speed.getValue() / fastest));
    return ordered;
  }

  private void predict(
      JobSpec job,
      GpuModel model,
      int largestNode,
      ClusterTopology topology,
      Map<GpuModel, Double> into) {
    int levels = topology.levels().size();
    int level = Math.max(0, levels - (job.gpus() <= largestNode ? 1 : 2));
    double speed =
        predictor.throughput(job, model, job.gpus(), topology.levels().get(level)).value();
    if (speed > 0 && speed < Double.POSITIVE_INFINITY) {
      into.put(model, speed);
    }
  }

  /** Returns the speed at a placement, on its slowest GPU model, in (0, 1]; 1 where unknown. */
  public double at(JobSpec job, SeenSpeeds seen, Placement placement, ClusterTopology topology) {
    Map<GpuModel, Double> speeds = of(job, seen, topology);
    double slowest = 1;
    for (GpuModel model : topology.models(placement)) {
      slowest = Math.min(slowest, speeds.getOrDefault(model, 1.0));
    }
    return slowest;
  }

  /** Returns the mean speed over all GPUs that a job may use; 1 where unknown. */
  public double mean(JobSpec job, SeenSpeeds seen, ClusterTopology topology) {
    double sum = 0;
    long gpus = 0;
    for (Map.Entry<GpuModel, Double> speed : of(job, seen, topology).entrySet()) {
      int there = topology.gpusByModel().getOrDefault(speed.getKey(), 0);
      sum += there * speed.getValue();
      gpus += there;
    }
    return gpus == 0 ? 1 : sum / gpus;
  }

  /** Returns the lowest speed that a job may get; 1 where unknown. */
  public double slowest(JobSpec job, SeenSpeeds seen, ClusterTopology topology) {
    return of(job, seen, topology).values().stream()
        .mapToDouble(Double::doubleValue)
        .min()
        .orElse(1);
  }

  /** Returns the measured speeds after a report; unchanged if the job is not on one model alone. */
  public SeenSpeeds seen(
      SeenSpeeds seen, Progress progress, Placement placement, ClusterTopology topology) {
    SortedSet<GpuModel> models = topology.models(placement);
    if (progress.iterationsPerSecond() > 0 && models.size() == 1) {
      return seen.with(models.first(), progress.iterationsPerSecond());
    }
    return seen;
  }

  /** Returns the largest number of GPUs per node, by model; cached per topology. */
  @SuppressWarnings("ReferenceEquality") // Equality would cost more than it saves.
  public Map<GpuModel, Integer> largestNodes(ClusterTopology topology) {
    Nodes known = nodes;
    if (known.of() != topology) {
      known = new Nodes(topology, count(topology));
      nodes = known;
    }
    return known.largest();
  }

  private static Map<GpuModel, Integer> count(ClusterTopology topology) {
    Map<GpuModel, Integer> largest = new TreeMap<>();
    for (Node node : topology.nodes()) {
      Map<GpuModel, Integer> there = new TreeMap<>();
      for (Gpu gpu : node.gpus()) {
        there.merge(gpu.model(), 1, Integer::sum);
      }
      there.forEach((model, gpus) -> largest.merge(model, gpus, Math::max));
    }
    return largest;
  }
}
