package io.github.liquidscheduler.simulator.comparison;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A comparison as a JSON object: the settings, then {@code policies}, the first of which is what
 * the others are compared with. Each has for each figure an object {@code mean}, {@code low},
 * {@code high}, and in {@code against_first} the same of the relative difference. {@code low} and
 * {@code high} are the ends of 95 % intervals, and absent where there were fewer than three runs;
 * figures that a run lacks are absent. Times are in seconds.
 */
public final class ComparedPoliciesJson {
  private final JsonGenerator json;
  private final List<ComparedPolicy> policies;

  private ComparedPoliciesJson(JsonGenerator json, List<ComparedPolicy> policies) {
    this.json = json;
    this.policies = policies;
  }

  /** Returns the object on several lines, the last one ended. */
  public static String of(Map<String, String> settings, List<ComparedPolicy> policies) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      new ComparedPoliciesJson(json, policies).write(settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private void write(Map<String, String> settings) throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      json.writeStringField(setting.getKey(), setting.getValue());
    }
    json.writeArrayFieldStart("policies");
    for (ComparedPolicy policy : policies) {
      write(policy);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(ComparedPolicy policy) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", policy.policy());
    json.writeStringField("placer", policy.placer());
    json.writeNumberField("runs", policy.runs().size());
    json.writeNumberField("jobs", policy.runs().stream().mapToInt(RunFigures::jobs).sum());
    json.writeNumberField("finished", policy.runs().stream().mapToInt(RunFigures::finished).sum());
    for (RunFigure figure : RunFigure.values()) {
      write(figure, policy.mean(figure), policy.hasIntervals());
    }
    json.writeObjectFieldStart("against_first");
    for (RunFigure figure : RunFigure.values()) {
      write(figure, policy.against(policies.getFirst(), figure), policy.hasIntervals());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private void write(RunFigure figure, Optional<MeanInterval> mean, boolean hasInterval)
      throws IOException {
    if (mean.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart(figure.key());
    json.writeNumberField("mean", mean.get().mean());
    if (hasInterval) {
      json.writeNumberField("low", mean.get().mean() - mean.get().halfWidth());
      json.writeNumberField("high", mean.get().mean() + mean.get().halfWidth());
    }
    json.writeEndObject();
  }
}
