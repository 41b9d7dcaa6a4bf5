package io.github.liquidscheduler.simulator.comparison;

import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import io.github.liquidscheduler.simulator.output.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A comparison as a JSON object: the settings, then {@code policies}, the first of which is what
 * the others are compared with. Each has for each figure an object {@code mean}, {@code low},
 * {@code high}, and in {@code against_first} the same of the relative difference. {@code low} and
 * {@code high} are the ends of 95 % intervals, and absent where there were fewer than three runs;
 * figures that a run lacks are absent. Times are in seconds. Of several settings there is an array
 * {@code settings} of such objects.
 */
public final class ComparedPoliciesJson {

  private ComparedPoliciesJson() {}

  /** Returns the object on several lines, the last one ended. */
  public static String of(ComparedSetting setting) {
    return json(setting).page();
  }

  /** Returns an object of what is common and all settings, on lines of which the last one ends. */
  public static String ofAll(Map<String, String> common, List<ComparedSetting> settings) {
    return new JsonObject()
        .withAll(common)
        .with("settings", settings.stream().map(ComparedPoliciesJson::json).toList())
        .page();
  }

  private static JsonObject json(ComparedSetting setting) {
    ComparedPolicy first = setting.policies().getFirst();
    return new JsonObject()
        .withAll(setting.names())
        .with("policies", setting.policies().stream().map(policy -> json(policy, first)).toList());
  }

  private static JsonObject json(ComparedPolicy policy, ComparedPolicy first) {
    return new JsonObject()
        .with("policy", policy.policy())
        .with("placer", policy.placer())
        .with("runs", policy.runs().size())
        .with("jobs", policy.runs().stream().mapToInt(RunFigures::jobs).sum())
        .with("finished", policy.runs().stream().mapToInt(RunFigures::finished).sum())
        .withAll(means(policy, policy::mean))
        .with(
            "against_first",
            new JsonObject().withAll(means(policy, figure -> policy.against(first, figure))));
  }

  private static Map<String, JsonObject> means(
      ComparedPolicy policy, Function<RunFigure, Optional<MeanInterval>> meanOf) {
    Map<String, JsonObject> means = new LinkedHashMap<>();
    for (RunFigure figure : RunFigure.values()) {
      meanOf
          .apply(figure)
          .ifPresent(mean -> means.put(figure.key(), json(mean, policy.hasIntervals())));
    }
    return means;
  }

  private static JsonObject json(MeanInterval interval, boolean withEnds) {
    JsonObject json = new JsonObject().with("mean", interval.mean());
    if (withEnds) {
      json.with("low", interval.mean() - interval.halfWidth());
      json.with("high", interval.mean() + interval.halfWidth());
    }
    return json;
  }
}
