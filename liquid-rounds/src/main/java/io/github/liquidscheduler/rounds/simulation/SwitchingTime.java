package io.github.liquidscheduler.rounds.simulation;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.Optional;

/** How long a GPU needs from one task to the next, before the next computes. */
@FunctionalInterface
public interface SwitchingTime {

  /** No time. */
  SwitchingTime NONE = (before, next) -> 0;

  /** Returns the seconds, at least 0, between what a GPU computed last, if anything, and next. */
  double seconds(Optional<TaskRun> before, TaskRun next);

  /** Notes that a run begins, of which nothing is known yet; by default nothing ever is. */
  default void begin(RoundProblem problem) {}

  /** Notes that a job has ended, and does not come again. */
  default void ended(JobId job) {}
}
