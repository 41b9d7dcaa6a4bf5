package io.github.liquidscheduler.simulator.rounds;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

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
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        json.writeStringField(setting.getKey(), setting.getValue());
      }
      json.writeNumberField("avg_jct", plan.averageJct(problem));
      json.writeNumberField("weighted_jct", plan.weightedJct(problem));
      json.writeNumberField("weighted_end", plan.weightedEnd(problem));
      json.writeNumberField("makespan", plan.makespan());
      json.writeNumberField("alpha", bounds.alpha());
      json.writeNumberField("bound", bounds.factor());
      json.writeNumberField("lower_bound", bounds.weightedEnd());
      for (Map.Entry<String, Double> figure : more.entrySet()) {
        json.writeNumberField(figure.getKey(), figure.getValue());
      }
      writeJobs(json, problem, plan);
      writeSequences(json, problem, plan);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void writeJobs(JsonGenerator json, RoundProblem problem, RoundPlan plan)
      throws IOException {
    json.writeArrayFieldStart("jobs");
    for (RoundJob job : problem.jobs()) {
      json.writeStartObject();
      json.writeStringField("job", job.id().toString());
      json.writeNumberField("arrival", job.arrival());
      json.writeNumberField("end", plan.end(job));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeSequences(JsonGenerator json, RoundProblem problem, RoundPlan plan)
      throws IOException {
    json.writeArrayFieldStart("gpus");
    for (int gpu = 0; gpu < plan.sequences().size(); gpu++) {
      json.writeStartObject();
      json.writeStringField("model", problem.gpus().get(gpu).toString());
      json.writeArrayFieldStart("tasks");
      for (RoundPlan.Run run : plan.sequences().get(gpu)) {
        json.writeStartObject();
        json.writeStringField("job", run.job().toString());
        json.writeNumberField("round", run.round());
        json.writeNumberField("task", run.task());
        json.writeNumberField("start", run.start());
        json.writeNumberField("end", run.end());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
