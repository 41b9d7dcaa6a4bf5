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
 * figures that a run lacks are absent. Times are in seconds. Of several settings there is an array
 * {@code settings} of such objects.
 */
public final class ComparedPoliciesJson {
  private final JsonGenerator json;

  private ComparedPoliciesJson(JsonGenerator json) {
    this.json = json;
  }

  /** Returns the object on several lines, the last one ended. */
  public static String of(ComparedSetting setting) {
    return page(json -> json.write(setting));
  }

  /**
   * Returns an object with all settings, on several lines, the last one ended.
   *
   * @param common what is true of all of them
   */
  public static String ofAll(Map<String, String> common, List<ComparedSetting> settings) {
    return page(json -> json.writeAll(common, settings));
  }

  private static String page(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      content.writeTo(new ComparedPoliciesJson(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private interface Content {
    void writeTo(ComparedPoliciesJson json) throws IOException;
  }

  private void writeAll(Map<String, String> common, List<ComparedSetting> settings)
      throws IOException {
    json.writeStartObject();
    writeNames(common);
    json.writeArrayFieldStart("settings");
    for (ComparedSetting setting : settings) {
      write(setting);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(ComparedSetting setting) throws IOException {
    json.writeStartObject();
    writeNames(setting.names());
    json.writeArrayFieldStart("policies");
    for (ComparedPolicy policy : setting.policies()) {
      write(policy, setting.policies().getFirst());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeNames(Map<String, String> names) throws IOException {
    for (Map.Entry<String, String> name : names.entrySet()) {
      json.writeStringField(name.getKey(), name.getValue());
    }
  }

  private void write(ComparedPolicy policy, ComparedPolicy first) throws IOException {
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
      write(figure, policy.against(first, figure), policy.hasIntervals());
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
