package io.github.liquidscheduler.rounds.planner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What every plan of rounds must keep to. */
public final class RoundPlanChecks {

  private final RoundProblem problem;
  private final Map<JobId, RoundJob> jobs;
  private final Map<String, RoundPlan.Run> runs = new HashMap<>();

  private RoundPlanChecks(RoundProblem problem) {
    this.problem = problem;
    jobs = problem.jobs().stream().collect(Collectors.toMap(RoundJob::id, job -> job));
  }

  /**
   * Fails if two tasks overlap on a GPU, a task takes longer or shorter than it should, does not
   * run once, or starts before its job arrives or its barrier, or an end is not that of the last
   * task.
   */
  public static void assertFollowsTheRules(RoundProblem problem, RoundPlan plan) {
    RoundPlanChecks checks = new RoundPlanChecks(problem);
    assertThat(plan.sequences()).hasSameSizeAs(problem.gpus());
    for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
      checks.check(gpu, plan.sequences().get(gpu));
    }
    assertThat(checks.runs).hasSize(problem.jobs().stream().mapToInt(RoundJob::tasks).sum());
    checks.runs.values().forEach(checks::assertBehindBarrier);
    for (RoundJob job : problem.jobs()) {
      assertThat(plan.ends().get(job.id()))
          .isEqualTo(checks.synchronizedAt(job, job.rounds() - 1), within(1e-9));
    }
  }

  private void check(int gpu, List<RoundPlan.Run> sequence) {
    double free = 0;
    for (RoundPlan.Run run : sequence) {
      RoundJob job = requireNonNull(jobs.get(run.job()));
      TaskTime time = requireNonNull(job.times().get(problem.gpus().get(gpu)));
      assertThat(run.start()).isGreaterThanOrEqualTo(free);
      assertThat(run.end() - run.start()).isEqualTo(time.compute(), within(1e-9));
      assertThat(run.synchronizedAt() - run.end()).isEqualTo(time.synchronize(), within(1e-9));
      assertThat(runs.put(key(job, run.round(), run.task()), run)).isNull();
      free = run.end();
    }
  }

  private void assertBehindBarrier(RoundPlan.Run run) {
    RoundJob job = requireNonNull(jobs.get(run.job()));
    double barrier = run.round() == 0 ? job.arrival() : synchronizedAt(job, run.round() - 1);
    assertThat(run.start()).isGreaterThanOrEqualTo(barrier);
  }

  private double synchronizedAt(RoundJob job, int round) {
    double last = 0;
    for (int task = 0; task < job.scale(); task++) {
      last = Math.max(last, requireNonNull(runs.get(key(job, round, task))).synchronizedAt());
    }
    return last;
  }

  private static String key(RoundJob job, int round, int task) {
    return job.id() + "/" + round + "/" + task;
  }
}
