package io.github.liquidscheduler.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Writes JSON. Fields come in the order in which mapping code writes them; fields that hold their
 * default are left out, so that one value has one text.
 */
final class JsonOutput {

  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator generator;

  private JsonOutput(JsonGenerator generator) {
    this.generator = generator;
  }

  /** Returns {@code value} on one line, without a line end. */
  static <T> String line(T value, BiConsumer<JsonOutput, T> mapping) {
    return text(value, mapping, false);
  }

  /** Returns {@code value} on indented lines, the last of them ended. */
  static <T> String page(T value, BiConsumer<JsonOutput, T> mapping) {
    return text(value, mapping, true) + "\n";
  }

  private static <T> String text(T value, BiConsumer<JsonOutput, T> mapping, boolean indented) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      if (indented) {
        generator.setPrettyPrinter(indentation());
      }
      mapping.accept(new JsonOutput(generator), value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static PrettyPrinter indentation() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    Separators separators = new Separators().withObjectFieldValueSpacing(Separators.Spacing.AFTER);
    return new DefaultPrettyPrinter(separators)
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }

  /** Writes an object. */
  void object(Runnable fields) {
    write(generator::writeStartObject);
    fields.run();
    write(generator::writeEndObject);
  }

  /** Writes an array. */
  <T> void array(Collection<T> elements, BiConsumer<JsonOutput, T> mapping) {
    write(generator::writeStartArray);
    elements.forEach(element -> mapping.accept(this, element));
    write(generator::writeEndArray);
  }

  /**
   * Writes a string.
   *
   * @throws IllegalArgumentException if it is not Unicode, so that no file can hold it
   */
  void text(String value) {
    if (!Unicode.holds(value)) {
      throw new IllegalArgumentException(Unicode.RULE);
    }
    write(() -> generator.writeString(value));
  }

  void number(long value) {
    write(() -> generator.writeNumber(value));
  }

  void number(BigDecimal value) {
    write(() -> generator.writeNumber(value.toPlainString()));
  }

  void number(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has finite numbers only, but was given " + value);
    }
    write(() -> generator.writeNumber(value));
  }

  void flag(boolean value) {
    write(() -> generator.writeBoolean(value));
  }

  /** Writes the name of the field whose value comes next. */
  JsonOutput name(String name) {
    if (!Unicode.holds(name)) {
      throw new IllegalArgumentException(Unicode.RULE);
    }
    write(() -> generator.writeFieldName(name));
    return this;
  }

  void field(String name, String value) {
    name(name).text(value);
  }

  void field(String name, long value) {
    name(name).number(value);
  }

  <T> void field(String name, T value, BiConsumer<JsonOutput, T> mapping) {
    mapping.accept(name(name), value);
  }

  /** Writes a field if there is a value. */
  <T> void optional(String name, Optional<T> value, BiConsumer<JsonOutput, T> mapping) {
    value.ifPresent(there -> field(name, there, mapping));
  }

  /** Writes a field unless it holds its default. */
  <T> void field(String name, T value, T byDefault, BiConsumer<JsonOutput, T> mapping) {
    if (!value.equals(byDefault)) {
      field(name, value, mapping);
    }
  }

  /** Writes an array unless it is empty. */
  <T> void list(String name, Collection<T> elements, BiConsumer<JsonOutput, T> mapping) {
    if (!elements.isEmpty()) {
      name(name).array(elements, mapping);
    }
  }

  /** Writes an object of strings unless it is empty. */
  void strings(String name, Map<String, String> entries) {
    if (!entries.isEmpty()) {
      name(name).object(() -> entries.forEach(this::field));
    }
  }

  private static void write(Write write) {
    try {
      write.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A call of the generator. */
  private interface Write {
    void run() throws IOException;
  }
}
