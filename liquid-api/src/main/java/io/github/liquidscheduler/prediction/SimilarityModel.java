package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * Predicts the retained speed of one class of workloads beside another, completed from a sparse
 * table of measured pairs (IASP: deep collaborative filtering over victim class, aggressor class
 * and GPU model). Calls may come from several threads.
 */
@FunctionalInterface
public interface SimilarityModel {
  /** Returns the retained speed of {@code victim} beside {@code aggressor}, in (0, 1.05]. */
  Prediction retainedSpeed(Workload victim, Workload aggressor, GpuModel gpu);
}
