package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Plans again whenever a job arrives or ends, without knowledge of later arrivals (a rolling
 * horizon). Started tasks stay; the rest of each job is planned like a job of its own.
 */
public record RollingPlanner(RoundPlanner planner) implements RoundAlgorithm {

  /** Plans as often as jobs arrive and end. */
  @Override
  public RoundPlan plan(RoundProblem problem) {
    StartedTasks started = StartedTasks.none(problem.gpus().size(), 0);
    RoundPlan plan = replan(arrived(problem, 0), started);
    double now = 0;
    while (now < Double.POSITIVE_INFINITY) {
      now = Math.min(nextArrival(problem, now), nextEnd(plan, now));
      if (now < Double.POSITIVE_INFINITY) {
        plan = replan(arrived(problem, now), StartedTasks.of(plan, now));
      }
    }
    return plan;
  }

  private static RoundProblem arrived(RoundProblem problem, double now) {
    return new RoundProblem(
        problem.jobs().stream().filter(job -> job.arrival() <= now).toList(), problem.gpus());
  }

  private static double nextArrival(RoundProblem problem, double now) {
    return problem.jobs().stream()
        .mapToDouble(RoundJob::arrival)
        .filter(arrival -> arrival > now)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  private static double nextEnd(RoundPlan plan, double now) {
    return plan.ends().values().stream()
        .mapToDouble(Double::doubleValue)
        .filter(end -> end > now)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Returns a plan of all jobs known now, also ended ones, that begins with what has started.
   * Nothing else starts before now.
   */
  public RoundPlan replan(RoundProblem problem, StartedTasks started) {
    Map<JobId, List<RoundPlan.Run>> byJob = started.byJob();
    Map<JobId, JobRest> rests = new LinkedHashMap<>();
    Map<JobId, Double> ends = new LinkedHashMap<>();
    for (RoundJob job : problem.jobs()) {
      JobRest rest = JobRest.of(job, byJob.getOrDefault(job.id(), List.of()));
      ends.put(job.id(), rest.barrier());
      if (!rest.isDone()) {
        rests.put(job.id(), rest);
      }
    }
    RoundPlan rest = planRests(problem, started, List.copyOf(rests.values()));
    ends.putAll(rest.ends());
    List<List<RoundPlan.Run>> sequences = new ArrayList<>();
    for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
      List<RoundPlan.Run> sequence = new ArrayList<>(started.sequences().get(gpu));
      for (RoundPlan.Run run : rest.sequences().get(gpu)) {
        sequence.add(Objects.requireNonNull(rests.get(run.job())).original(run));
      }
      sequences.add(sequence);
    }
    return new RoundPlan(sequences, Collections.unmodifiableMap(ends));
  }

  private RoundPlan planRests(RoundProblem problem, StartedTasks started, List<JobRest> rests) {
    RoundProblem left =
        new RoundProblem(
            rests.stream().map(rest -> rest.asJob(started.now())).toList(), problem.gpus());
    ListSchedule schedule = new ListSchedule(left, planner.choice());
    for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
      schedule.block(gpu, started.freeAt(gpu));
    }
    for (int job = 0; job < rests.size(); job++) {
      schedule.skip(job, rests.get(job).startedTasks(), rests.get(job).synchronizedAt());
    }
    schedule.planAll(planner.roundOrder(left));
    return schedule.plan();
  }
}
