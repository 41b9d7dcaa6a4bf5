package io.github.liquidscheduler.lab.reference.gavel;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.lab.reference.ReferenceRun;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The simulator of Gavel (Narayanan et al., OSDI 2020). Jobs train in rounds; of the cluster only
 * the number of GPUs of each model counts. All weights are 1. Immutable.
 *
 * <p>The numbers of {@code fifo_perf} are those of the original. Those of {@code
 * max_min_fairness_perf}, a linear program whose shares are not unique, differ by up to 1 %, those
 * of {@code allox}, an assignment that is not unique either, by up to 2.5 %. {@code gandiva} draws
 * at random. {@code comparative_advantage} and {@code comparative_advantage_known} are our own, in
 * the same rounds.
 */
public final class GavelSimulator {

  /** The GPU models that there are, in the order in which jobs are selected for them. */
  private static final List<String> MODELS = List.of("V100", "P100", "K80");

  private final List<GpuModel> models;
  private final int[] gpus;
  private final ThroughputTable speeds;
  private final String name;
  private final long seed;

  private GavelSimulator(ClusterTopology cluster, ThroughputTable speeds, String name, long seed) {
    this.models =
        cluster.gpusByModel().keySet().stream()
            .sorted(Comparator.comparingInt(GavelSimulator::position))
            .toList();
    this.gpus = models.stream().mapToInt(cluster.gpusByModel()::get).toArray();
    this.speeds = speeds;
    this.name = GavelPolicies.requireName(name);
    this.seed = seed;
  }

  /**
   * Returns a simulator.
   *
   * @param seed what {@code gandiva} draws by; the others draw nothing
   * @throws IllegalArgumentException if there is no such policy, or the cluster has GPUs of other
   *     models than V100, P100 and K80
   */
  public static GavelSimulator of(
      ClusterTopology cluster, ThroughputTable speeds, String policy, long seed) {
    return new GavelSimulator(cluster, speeds, policy, seed);
  }

  /**
   * Runs all jobs of {@code trace} to their end.
   *
   * @throws IllegalArgumentException if a job has no iterations or no known speed, fits on no GPU
   *     model, is too slow to do one iteration in a round, or has too many GPUs for the policy
   */
  public ReferenceRun run(Trace trace) {
    List<GavelJob> jobs = new ArrayList<>();
    for (TraceJob job : trace.jobs()) {
      jobs.add(job(job, jobs.size()));
    }
    List<GavelJob> byArrival =
        jobs.stream().sorted(Comparator.comparingDouble(GavelJob::arrival)).toList();
    String digest = new RoundLoop(GavelPolicies.named(name, gpus, pairs(), seed), byArrival).run();
    int all = 0;
    for (int ofModel : gpus) {
      all += ofModel;
    }
    return new ReferenceRun(name, all, jobs.stream().map(GavelJob::outcome).toList(), digest);
  }

  private PairThroughputs pairs() {
    return new PairThroughputs(models, speeds);
  }

  private GavelJob job(TraceJob job, int number) {
    double[] onModels =
        models.stream().mapToDouble(model -> speeds.iterationsPerSecond(job, model)).toArray();
    requireRunnable(job, onModels);
    long steps =
        job.iterations()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a job must have iterations, but had none, for " + job));
    return new GavelJob(job, number, steps, onModels);
  }

  private void requireRunnable(TraceJob job, double[] onModels) {
    if (GavelPolicies.isForSingleGpus(name) && job.gpus() > 1) {
      throw new IllegalArgumentException(
          "a job must have 1 GPU for %s, but has %d, for %s".formatted(name, job.gpus(), job));
    }
    boolean runs = false;
    for (int model = 0; model < gpus.length; model++) {
      boolean fits = job.gpus() <= gpus[model];
      if (onModels[model] > 0 && onModels[model] * RoundLoop.ROUND < 1) {
        throw new IllegalArgumentException(
            "a job must do an iteration in a round of %s s, but does not on %s, for %s"
                .formatted(RoundLoop.ROUND, models.get(model), job));
      }
      runs |= fits && onModels[model] > 0;
    }
    if (!runs) {
      throw new IllegalArgumentException(
          "a job must fit on the GPUs of one model, but does not: " + job);
    }
  }

  private static int position(GpuModel model) {
    int position = MODELS.indexOf(model.name().toUpperCase(Locale.ROOT));
    if (position < 0) {
      throw new IllegalArgumentException(
          "Gavel's GPU models are %s, but the cluster has %s".formatted(MODELS, model));
    }
    return position;
  }
}
