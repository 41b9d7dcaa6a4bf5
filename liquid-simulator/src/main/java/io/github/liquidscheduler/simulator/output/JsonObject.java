package io.github.liquidscheduler.simulator.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON object whose members keep their order. A value is a string, a number, a collection of
 * values, another such object, or {@link Optional#empty()} for {@code null}.
 */
public final class JsonObject {
  private final Map<String, Object> members = new LinkedHashMap<>();

  /** Adds a member, or replaces the value of the one with that name. */
  public JsonObject with(String name, Object value) {
    members.put(name, value);
    return this;
  }

  /** Adds the entries as members, in their order. */
  public JsonObject withAll(Map<String, ?> values) {
    members.putAll(values);
    return this;
  }

  /** Returns the object on one line, which does not end. */
  public String compact() {
    return text(new MinimalPrettyPrinter());
  }

  /** Returns the object with a line for each member and element, the last line ended. */
  public String page() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return text(new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter))
        + "\n";
  }

  /** Returns the object with a line for each member, the last line ended. */
  public String pageWithInlineArrays() {
    return text(new DefaultPrettyPrinter()) + "\n";
  }

  private String text(PrettyPrinter printer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(printer);
      write(this, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(Object value, JsonGenerator json) throws IOException {
    switch (value) {
      case JsonObject object -> {
        json.writeStartObject();
        for (Map.Entry<String, Object> member : object.members.entrySet()) {
          json.writeFieldName(member.getKey());
          write(member.getValue(), json);
        }
        json.writeEndObject();
      }
      case Iterable<?> values -> {
        json.writeStartArray();
        for (Object element : values) {
          write(element, json);
        }
        json.writeEndArray();
      }
      case Optional<?> none -> json.writeNull();
      default -> json.writePOJO(value);
    }
  }
}
