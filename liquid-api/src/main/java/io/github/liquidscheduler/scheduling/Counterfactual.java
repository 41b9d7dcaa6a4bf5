package io.github.liquidscheduler.scheduling;

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
   * @param jobs the jobs that have to end, in the order in which they are expected to
   * @param expectedAt when the last of them is expected to end, if that is known
   */
  record AfterJobsEnd(List<JobId> jobs, Optional<Instant> expectedAt) implements Counterfactual {
    /** Checks and copies the jobs. */
    public AfterJobsEnd {
      jobs = List.copyOf(jobs);
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
