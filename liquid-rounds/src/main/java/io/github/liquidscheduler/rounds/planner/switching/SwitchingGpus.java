package io.github.liquidscheduler.rounds.planner.switching;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * GPUs that take time to go to another job, each with what is in its memory; counts how often they
 * did and for how long. Mutable.
 */
public final class SwitchingGpus {

  private final Switching switching;
  private final Map<JobId, TrainedModel> models;
  private final List<ResidentModels> memories = new ArrayList<>();
  private int switches;
  private int hits;
  private double seconds;

  /**
   * Makes the GPUs of a problem, with nothing in their memory.
   *
   * @throws IllegalArgumentException if a job has no model
   */
  public SwitchingGpus(RoundProblem problem, Switching switching) {
    this.switching = switching;
    models = switching.byJob(problem);
    problem.gpus().forEach(gpu -> memories.add(new ResidentModels(switching.capacity(gpu))));
  }

  /**
   * Switches a GPU to the next task of a job and returns how long that takes, in seconds; 0 if its
   * last task was of the same job. {@code comesAgain} tells which others come again on it.
   */
  public double switchTo(int gpu, JobId job, Predicate<JobId> comesAgain) {
    ResidentModels memory = memories.get(gpu);
    if (memory.runs(job)) {
      return 0;
    }
    TrainedModel model = Objects.requireNonNull(models.get(job));
    boolean isHit = memory.switchTo(model, comesAgain);
    double cost = model.model().seconds(switching.technique(), isHit);
    switches++;
    hits += isHit ? 1 : 0;
    seconds += cost;
    return cost;
  }

  /** Returns how often a GPU went to another job; its first task counts too. */
  public int switches() {
    return switches;
  }

  /** Returns how many of them found their model in memory. */
  public int hits() {
    return hits;
  }

  /** Returns how long all of them took. */
  public double seconds() {
    return seconds;
  }
}
