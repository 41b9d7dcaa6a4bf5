package io.github.liquidscheduler.rounds.simulation;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.switching.Switching;
import io.github.liquidscheduler.rounds.planner.switching.SwitchingGpus;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The published times of switching, while jobs run. What comes next on a GPU is not known then:
 * each job that has not ended is taken to come again. Mutable: one run at a time.
 */
public final class PublishedSwitching implements SwitchingTime {

  private final Switching switching;
  // Never iterated.
  private final Set<JobId> ended = new HashSet<>();
  private Optional<SwitchingGpus> gpus = Optional.empty();

  /** Makes the times of a technique for jobs whose models are known. */
  public PublishedSwitching(Switching switching) {
    this.switching = switching;
  }

  @Override
  public void begin(RoundProblem problem) {
    gpus = Optional.of(new SwitchingGpus(problem, switching));
    ended.clear();
  }

  @Override
  public double seconds(Optional<TaskRun> before, TaskRun next) {
    return gpus().switchTo(next.gpu().index(), next.task().job(), job -> !ended.contains(job));
  }

  @Override
  public void ended(JobId job) {
    ended.add(job);
  }

  /**
   * Returns the GPUs as they were at the end of the last run.
   *
   * @throws IllegalStateException if there was none
   */
  public SwitchingGpus gpus() {
    return gpus.orElseThrow(() -> new IllegalStateException("nothing has run yet"));
  }
}
