package io.github.liquidscheduler.explanation;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A change that would let a waiting job run now, verified by placing the changed job on the state
 * of that moment.
 */
public sealed interface Counterfactual {

  /** Returns the change as a sentence for people, without a full stop. */
  String describe();

  /**
   * The job would fit with fewer tasks in its first role.
   *
   * @param tasks the largest number of tasks that fits
   * @param gpus the GPUs of the job with that many tasks
   */
  record FewerTasks(int tasks, int gpus) implements Counterfactual {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if there is no task or {@code gpus} is negative
     */
    public FewerTasks {
      if (tasks < 1 || gpus < 0) {
        throw new IllegalArgumentException(
            "fewer tasks must be at least 1 with at least 0 GPUs, but were %d with %d"
                .formatted(tasks, gpus));
      }
    }

    @Override
    public String describe() {
      return "fits now with " + gpus + " GPUs (" + tasks + " tasks)";
    }
  }

  /**
   * The job would fit if it might span more than its required level allows.
   *
   * @param level the narrowest level in one domain of which it would fit
   */
  record WiderLevel(String level) implements Counterfactual {
    /** Checks that nothing is null. */
    public WiderLevel {
      Objects.requireNonNull(level, "level");
    }

    @Override
    public String describe() {
      return "fits now if the required level is '" + level + "'";
    }
  }

  /**
   * The job would fit on a GPU model that it does not allow.
   *
   * @param model the model
   */
  record OtherModel(GpuModel model) implements Counterfactual {
    /** Checks that nothing is null. */
    public OtherModel {
      Objects.requireNonNull(model, "model");
    }

    @Override
    public String describe() {
      return "fits now on " + model;
    }
  }

  /**
   * The job would fit once running jobs have ended.
   *
   * @param jobs the jobs that have to end, at least one, in the order in which they are expected to
   * @param expectedAt when the last of them is expected to end, if that is known
   */
  record AfterJobsEnd(List<JobId> jobs, Optional<Instant> expectedAt) implements Counterfactual {
    /**
     * Checks and copies the jobs.
     *
     * @throws IllegalArgumentException if there is none
     */
    public AfterJobsEnd {
      jobs = List.copyOf(jobs);
      if (jobs.isEmpty()) {
        throw new IllegalArgumentException("jobs that have to end must be named, but none was");
      }
      Objects.requireNonNull(expectedAt, "expectedAt");
    }

    @Override
    public String describe() {
      return "fits when "
          + (jobs.size() == 1 ? "job " + jobs.get(0) + " ends" : "jobs " + jobs + " end")
          + expectedAt.map(at -> ", expected at " + at).orElse("");
    }
  }
}
