package io.github.liquidscheduler.rounds.planner.switching;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How GPUs switch, what jobs train, and the GiB of GPU models; on others no model stays. */
public record Switching(
    SwitchingTechnique technique, List<TrainedModel> models, Map<GpuModel, Double> gpuGib) {

  /** Copies the models. */
  public Switching {
    Objects.requireNonNull(technique, "technique");
    models = List.copyOf(models);
    gpuGib = Collections.unmodifiableMap(new LinkedHashMap<>(gpuGib));
  }

  /**
   * Returns the models of a problem's jobs.
   *
   * @throws IllegalArgumentException if one is missing
   */
  Map<JobId, TrainedModel> byJob(RoundProblem problem) {
    Map<JobId, TrainedModel> byJob = new LinkedHashMap<>();
    models.forEach(model -> byJob.put(model.job(), model));
    problem
        .jobs()
        .forEach(
            job -> {
              if (!byJob.containsKey(job.id())) {
                throw new IllegalArgumentException(
                    "a job must have a model to switch to, but job '%s' has none"
                        .formatted(job.id()));
              }
            });
    return byJob;
  }

  double capacity(GpuModel gpu) {
    return gpuGib.getOrDefault(gpu, 0.0);
  }
}
