package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.prior.ModelFamilies;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.ResourceEstimate;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An estimator to which every model family is new: of each lineage, such as all ResNets, it asks a
 * model that was trained without it. All of them learn from what is observed, as an estimator does
 * after its first start. Lineages of which {@code samples} say nothing are new to a model of all
 * samples anyway.
 *
 * <p>Not thread-safe. Closing it closes its models.
 */
public final class UnseenLineages implements ResourceEstimator, AutoCloseable {
  private final Map<String, LearnedResourceEstimator> without = new LinkedHashMap<>();
  private final LearnedResourceEstimator all;

  /**
   * Trains a model of all samples, and one without each of their lineages.
   *
   * @throws IllegalArgumentException if too little was measured to train one of them
   */
  public UnseenLineages(List<ResourceSample> samples, long seed) {
    ResourceTrainer trainer = new ResourceTrainer(seed);
    all = trainer.train(samples).load();
    for (ResourceSample sample : samples) {
      without.computeIfAbsent(
          lineage(sample), lineage -> trainer.train(others(samples, lineage)).load());
    }
  }

  private static List<ResourceSample> others(List<ResourceSample> samples, String lineage) {
    return samples.stream().filter(sample -> !lineage(sample).equals(lineage)).toList();
  }

  private static String lineage(ResourceSample sample) {
    return ModelFamilies.lineage(sample.task().family());
  }

  @Override
  public ResourceEstimate estimate(JobSpec job, TaskRole role, GpuModel gpu) {
    String lineage = ModelFamilies.lineage(job.workload().family());
    return without.getOrDefault(lineage, all).estimate(job, role, gpu);
  }

  @Override
  public void observe(JobSpec job, TaskRole role, GpuModel gpu, ResourceUsage usage) {
    all.observe(job, role, gpu, usage);
    without.values().forEach(estimator -> estimator.observe(job, role, gpu, usage));
  }

  @Override
  public void observeOutOfMemory(JobSpec job, TaskRole role, GpuModel gpu, Memory granted) {
    all.observeOutOfMemory(job, role, gpu, granted);
    without.values().forEach(estimator -> estimator.observeOutOfMemory(job, role, gpu, granted));
  }

  @Override
  public void close() {
    all.close();
    without.values().forEach(LearnedResourceEstimator::close);
  }
}
