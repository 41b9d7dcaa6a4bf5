package io.github.liquidscheduler.simulator.rounds;

import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import io.github.liquidscheduler.simulator.output.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A plan of rounds as a JSON object; times are in seconds. */
public final class RoundsJson {

  private RoundsJson() {}

  /**
   * Returns it on several lines, the last one ended.
   *
   * @param settings how the plan was made; these come first, in their order
   * @param more further figures, which follow those of every plan, in their order
   */
  public static String of(
      Map<String, String> settings,
      RoundProblem problem,
      RoundPlan plan,
      Map<String, Double> more) {
    RoundBounds bounds = RoundBounds.of(problem);
    return new JsonObject()
        .withAll(settings)
        .with("avg_jct", plan.averageJct(problem))
        .with("weighted_jct", plan.weightedJct(problem))
        .with("weighted_end", plan.weightedEnd(problem))
        .with("makespan", plan.makespan())
        .with("alpha", bounds.alpha())
        .with("bound", bounds.factor())
        .with("lower_bound", bounds.weightedEnd())
        .withAll(more)
        .with("jobs", jobs(problem, plan))
        .with("gpus", gpus(problem, plan))
        .pageWithInlineArrays();
  }

  private static List<JsonObject> jobs(RoundProblem problem, RoundPlan plan) {
    return problem.jobs().stream()
        .map(
            job ->
                new JsonObject()
                    .with("job", job.id().toString())
                    .with("arrival", job.arrival())
                    .with("end", plan.end(job)))
        .toList();
  }

  private static List<JsonObject> gpus(RoundProblem problem, RoundPlan plan) {
    return IntStream.range(0, plan.sequences().size())
        .mapToObj(
            gpu ->
                new JsonObject()
                    .with("model", problem.gpus().get(gpu).toString())
                    .with(
                        "tasks", plan.sequences().get(gpu).stream().map(RoundsJson::task).toList()))
        .toList();
  }

  private static JsonObject task(RoundPlan.Run run) {
    return new JsonObject()
        .with("job", run.job().toString())
        .with("round", run.round())
        .with("task", run.task())
        .with("start", run.start())
        .with("end", run.end());
  }
}
