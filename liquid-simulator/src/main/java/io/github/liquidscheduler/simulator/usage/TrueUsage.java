package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The ground truth of what jobs use: each job of a trace runs one of the configurations that were
 * measured, drawn by its id, since traces do not tell. What it uses is what was measured times a
 * log-normal factor with a standard deviation of 3 %, since no two runs are alike. CPU and host
 * memory were not measured with the GPUs; each configuration is given 1 to 8 cores and 2 to 32 GiB,
 * spread evenly on a logarithmic scale.
 *
 * <p>The same table, seed and job give the same usage. Immutable.
 */
public final class TrueUsage {
  private static final double NOISE = 0.03;
  private static final double GIBIBYTE = 1L << 30;

  private final List<ResourceSample> configurations;
  private final long seed;

  private TrueUsage(List<ResourceSample> configurations, long seed) {
    this.configurations = configurations;
    this.seed = seed;
  }

  /**
   * Returns the usage by those of the samples that measure both memory and utilisation of a GPU.
   *
   * @throws IllegalArgumentException if none does
   */
  public static TrueUsage of(List<ResourceSample> samples, long seed) {
    List<ResourceSample> complete =
        samples.stream()
            .filter(sample -> sample.value(ResourceTarget.GPU_MEMORY).isPresent())
            .filter(sample -> sample.value(ResourceTarget.GPU_UTILIZATION).isPresent())
            .toList();
    if (complete.isEmpty()) {
      throw new IllegalArgumentException(
          "a table of usage must measure memory and utilisation of a GPU together at least once,"
              + " but none of its %s does".formatted(Count.of(samples.size(), "row")));
    }
    return new TrueUsage(complete, seed);
  }

  /** Returns the usage of each task of the job. */
  public Usage of(TraceJob job) {
    Random random = random(job.id().hashCode());
    int index = random.nextInt(configurations.size());
    ResourceSample configuration = configurations.get(index);
    Random host = random(index);
    return new Usage(
        workload(configuration.task()),
        memory(measured(configuration, ResourceTarget.GPU_MEMORY) * noise(random)),
        Math.min(1, measured(configuration, ResourceTarget.GPU_UTILIZATION) * noise(random)),
        CpuCores.ofMillicores(Math.round(1000 * between(1, 8, host) * noise(random))),
        memory(GIBIBYTE * between(2, 32, host) * noise(random)));
  }

  private static Memory memory(double bytes) {
    return Memory.ofBytes(Math.round(bytes));
  }

  private static double measured(ResourceSample sample, ResourceTarget target) {
    return sample.value(target).orElseThrow();
  }

  private static double between(double least, double most, Random random) {
    return least * StrictMath.pow(most / least, random.nextDouble());
  }

  private static double noise(Random random) {
    return StrictMath.exp(NOISE * random.nextGaussian());
  }

  /** Neighbouring seeds of Random give similar first draws; this spreads them. */
  private Random random(int about) {
    long mixed = (31 * seed + about) * 0x9E3779B97F4A7C15L;
    return new Random(mixed ^ (mixed >>> 32));
  }

  private static Workload workload(TaskProfile task) {
    Workload.Builder workload = Workload.builder(task.family());
    task.batch().ifPresent(workload::batchSize);
    stated(task.framework(), workload::framework);
    stated(task.dataset(), workload::dataset);
    stated(task.precision(), workload::precision);
    task.hyperparameters().forEach(workload::hyperparameter);
    return workload.build();
  }

  private static void stated(String text, Consumer<String> setter) {
    if (!text.isEmpty()) {
      setter.accept(text);
    }
  }
}
