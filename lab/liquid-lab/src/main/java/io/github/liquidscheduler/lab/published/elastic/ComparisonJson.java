package io.github.liquidscheduler.lab.published.elastic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Comparisons as a JSON array, with an object for each. Times are in seconds. */
public final class ComparisonJson {

  private final JsonGenerator json;

  private ComparisonJson(JsonGenerator json) {
    this.json = json;
  }

  /** Returns the array on several lines, the last one ended. */
  public static String of(List<ComparedConditions> comparisons) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      new ComparisonJson(json).write(comparisons);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private void write(List<ComparedConditions> comparisons) throws IOException {
    json.writeStartArray();
    for (ComparedConditions compared : comparisons) {
      json.writeStartObject();
      json.writeStringField("conditions", compared.label());
      json.writeNumberField("load", compared.load());
      json.writeArrayFieldStart("policies");
      for (ComparedAverage row : compared.rows()) {
        write(row);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void write(ComparedAverage row) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", row.name());
    json.writeNumberField("avg_jct", row.average());
    json.writeNumberField("saved", row.saved());
    json.writeNumberField("saved_deviation", row.savedBySeed().deviation());
    json.writeNumberField("resizes_per_job", row.resizes());
    json.writeNumberField("preemptions_per_job", row.preemptions());
    json.writeArrayFieldStart("avg_jct_by_seed");
    for (double seconds : row.seconds()) {
      json.writeNumber(seconds);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
