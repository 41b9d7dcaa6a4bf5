package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs with distinct ids, and the models of the GPUs they share, at least one; each job has times
 * for every model. GPUs go by their positions.
 */
public record RoundProblem(List<RoundJob> jobs, List<GpuModel> gpus) {

  /**
   * Checks that everything needed is known.
   *
   * @throws IllegalArgumentException if there is no GPU, an id comes twice, or a job has no times
   *     for a model
   */
  public RoundProblem {
    jobs = List.copyOf(jobs);
    gpus = List.copyOf(gpus);
    if (gpus.isEmpty()) {
      throw new IllegalArgumentException("a fleet must have at least one GPU, but has none");
    }
    Set<Object> ids = new HashSet<>();
    for (RoundJob job : jobs) {
      if (!ids.add(job.id())) {
        throw new IllegalArgumentException(
            "ids of jobs must be distinct, but '%s' comes twice".formatted(job.id()));
      }
      for (GpuModel model : gpus) {
        requireTimes(job, model);
      }
    }
  }

  private static TaskTime requireTimes(RoundJob job, GpuModel model) {
    @Nullable TaskTime time = job.times().get(model);
    if (time == null) {
      throw new IllegalArgumentException(
          "a job must have times for every GPU model of the fleet, but job '%s' has none for '%s'"
              .formatted(job.id(), model));
    }
    return time;
  }

  /** Returns how long the tasks of the job at a position take, by the position of the GPU. */
  public TaskTime[] times(int job) {
    TaskTime[] times = new TaskTime[gpus.size()];
    for (int gpu = 0; gpu < times.length; gpu++) {
      times[gpu] = requireTimes(jobs.get(job), gpus.get(gpu));
    }
    return times;
  }
}
