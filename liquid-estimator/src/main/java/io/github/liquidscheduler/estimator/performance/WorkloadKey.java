package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * The jobs that one throughput model tells of: those of a model family and precision on a GPU
 * model, whatever their batch, if it is stated.
 *
 * @param family the model family
 * @param precision the numeric precision, empty if none is stated
 * @param gpu the GPU model
 * @param statesBatch whether the jobs state their batch; else they are taken to have one of 1
 */
public record WorkloadKey(String family, String precision, GpuModel gpu, boolean statesBatch) {

  /** Returns the key of a job. */
  public static WorkloadKey of(JobSpec job, GpuModel gpu) {
    return new WorkloadKey(
        job.workload().family(),
        job.workload().precision().orElse(""),
        gpu,
        job.workload().batchSize().isPresent());
  }

  /**
   * Returns the samples that each GPU has if the batch of the job as it was submitted is divided
   * among {@code gpus} GPUs; without a stated batch as if each had had one.
   */
  static double localBatch(JobSpec job, int gpus) {
    TaskRole workers = job.roles().getFirst();
    int perTask = job.workload().batchSize().orElse(Math.max(1, workers.request().gpus()));
    return (double) perTask * workers.count() / gpus;
  }

  /**
   * Returns the replicas. Of nodes a model only asks whether there are several.
   *
   * @param widestLevel the narrowest topology level one domain of which holds all of the GPUs
   */
  static Replicas replicas(int gpus, String widestLevel) {
    boolean isOnOneNode = gpus == 1 || widestLevel.equals(ClusterTopology.NODE);
    return new Replicas(gpus, isOnOneNode ? 1 : 2);
  }

  /**
   * Returns this key as a line of a file.
   *
   * @throws IllegalArgumentException if the GPU model or the precision has a {@code ;}
   */
  String toLine() {
    String start = String.join(";", Boolean.toString(statesBatch), gpu.name(), precision);
    if (start.chars().filter(character -> character == ';').count() != 2) {
      throw new IllegalArgumentException(
          "a GPU model and a precision must have no ';', but were " + gpu + " and " + precision);
    }
    return start + ";" + family;
  }

  /**
   * Returns the key that a line states.
   *
   * @throws IllegalArgumentException if it states none
   */
  static WorkloadKey parse(String line) {
    String[] parts = line.split(";", 4);
    if (parts.length != 4) {
      throw new IllegalArgumentException("a workload must have four parts");
    }
    return new WorkloadKey(
        parts[3], parts[2], GpuModel.of(parts[1]), Boolean.parseBoolean(parts[0]));
  }
}
