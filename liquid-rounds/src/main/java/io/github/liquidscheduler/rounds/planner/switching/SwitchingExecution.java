package io.github.liquidscheduler.rounds.planner.switching;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A plan as it goes where GPUs take time to switch. Each GPU does its tasks in the order of the
 * plan; a task of another job than the one before first costs a switch, which begins when the GPU
 * is free and the task may start. Nothing else changes, so all that waits for it comes later.
 *
 * @param plan the plan with its new times
 * @param switches how often a GPU went to another job; its first task counts too
 * @param hits how many of them found their model in memory
 * @param seconds how long all of them took
 */
public record SwitchingExecution(RoundPlan plan, int switches, int hits, double seconds) {

  /**
   * Returns what becomes of a plan.
   *
   * @throws IllegalArgumentException if a job has no model
   */
  public static SwitchingExecution of(RoundProblem problem, RoundPlan plan, Switching switching) {
    return new Execution(problem, plan, switching).execute();
  }

  /** What one GPU has yet to do, and what is in its memory. */
  private static final class Gpu {
    final List<RoundPlan.Run> planned;
    final List<RoundPlan.Run> executed = new ArrayList<>();
    final Map<JobId, Integer> left = new HashMap<>();
    double free;

    Gpu(List<RoundPlan.Run> planned) {
      this.planned = planned;
      planned.forEach(run -> left.merge(run.job(), 1, Integer::sum));
    }

    boolean isDone() {
      return executed.size() == planned.size();
    }

    RoundPlan.Run next() {
      return planned.get(executed.size());
    }

    boolean comesAgain(JobId job) {
      return left.getOrDefault(job, 0) > 0;
    }
  }

  private static final class Progress {
    final RoundJob job;
    int round;
    int left;
    double barrier;
    double last;

    Progress(RoundJob job) {
      this.job = job;
      left = job.scale();
      barrier = job.arrival();
    }

    void ran(RoundPlan.Run run) {
      last = Math.max(last, run.synchronizedAt());
      left--;
      if (left == 0) {
        round++;
        left = job.scale();
        barrier = last;
      }
    }
  }

  private static final class Execution {
    private final RoundProblem problem;
    private final SwitchingGpus switching;
    private final Map<JobId, Progress> progress = new LinkedHashMap<>();
    private final List<Gpu> gpus = new ArrayList<>();

    Execution(RoundProblem problem, RoundPlan plan, Switching switching) {
      this.problem = problem;
      this.switching = new SwitchingGpus(problem, switching);
      problem.jobs().forEach(job -> progress.put(job.id(), new Progress(job)));
      for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
        gpus.add(new Gpu(plan.sequences().get(gpu)));
      }
    }

    /** Tasks run when those that they wait for have: in the order of the plan, each GPU's next. */
    SwitchingExecution execute() {
      boolean anyRan = true;
      while (anyRan) {
        anyRan = false;
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
          while (mayRun(gpus.get(gpu))) {
            run(gpu);
            anyRan = true;
          }
        }
      }
      Map<JobId, Double> ends = new LinkedHashMap<>();
      progress.forEach((job, at) -> ends.put(job, at.barrier));
      return new SwitchingExecution(
          new RoundPlan(
              gpus.stream().map(gpu -> gpu.executed).toList(), Collections.unmodifiableMap(ends)),
          switching.switches(),
          switching.hits(),
          switching.seconds());
    }

    private boolean mayRun(Gpu gpu) {
      return !gpu.isDone() && progressOf(gpu.next()).round == gpu.next().round();
    }

    private Progress progressOf(RoundPlan.Run run) {
      return Objects.requireNonNull(progress.get(run.job()));
    }

    private void run(int position) {
      Gpu gpu = gpus.get(position);
      RoundPlan.Run planned = gpu.next();
      Progress at = progressOf(planned);
      TaskTime time = Objects.requireNonNull(at.job.times().get(problem.gpus().get(position)));
      double start =
          Math.max(gpu.free, at.barrier)
              + switching.switchTo(position, planned.job(), gpu::comesAgain);
      RoundPlan.Run run = RoundPlan.Run.of(at.job, planned.round(), planned.task(), start, time);
      gpu.executed.add(run);
      gpu.left.merge(run.job(), -1, Integer::sum);
      gpu.free = run.end();
      at.ran(run);
    }
  }
}
