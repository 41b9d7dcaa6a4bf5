package io.github.liquidscheduler.cli.sweep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** A sweep as {@link SweepReader} reads it, all files by their whole names. */
final class SweepJson {

  private SweepJson() {}

  /** Returns the text; equal sweeps have equal ones. */
  static String of(Sweep sweep) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      write(json, sweep);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void write(JsonGenerator json, Sweep sweep) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("traces");
    for (SweptTrace trace : sweep.traces()) {
      json.writeStartObject();
      json.writeStringField("file", trace.file().toString());
      json.writeStringField("format", trace.format());
      json.writeStringField("columns", trace.columns());
      json.writeEndObject();
    }
    json.writeEndArray();
    writeTexts(json, "clusters", sweep.clusters());
    writeTexts(json, "policies", sweep.policies());
    writeTexts(json, "placers", sweep.placers());
    json.writeArrayFieldStart("loads");
    for (double load : sweep.loads()) {
      json.writeNumber(load);
    }
    json.writeEndArray();
    json.writeNumberField("seeds", sweep.seeds());
    if (sweep.block().isPresent()) {
      json.writeNumberField("block", sweep.block().getAsInt());
    }
    json.writeArrayFieldStart("options");
    for (Map<String, String> options : sweep.optionSets()) {
      json.writeStartObject();
      for (Map.Entry<String, String> option : options.entrySet()) {
        json.writeStringField(option.getKey(), option.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeTexts(JsonGenerator json, String field, Iterable<String> texts)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
