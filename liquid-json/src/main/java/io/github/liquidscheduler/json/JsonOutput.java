package io.github.liquidscheduler.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.github.liquidscheduler.text.Text;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes JSON. Fields come in the order in which mapping code writes them; fields that hold their
 * default are left out, so that one value has one text.
 */
final class JsonOutput {

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .rootValueSeparator("")
          // Bytes and text are to be the same, whatever the characters.
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  /** Most lines of a journal are no longer; growing to it would cost as much again. */
  private static final int USUAL_LENGTH = 512;

  private final JsonGenerator generator;

  private JsonOutput(JsonGenerator generator) {
    this.generator = generator;
  }

  /** Returns an output of lines in UTF-8, which get there by {@link #flush()} at last. */
  static JsonOutput to(OutputStream bytes) {
    try {
      return new JsonOutput(FACTORY.createGenerator(bytes, JsonEncoding.UTF8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the output of {@code content} on one line, without a line end. */
  static String line(Consumer<JsonOutput> content) {
    return text(content, false);
  }

  /** Returns the output of {@code content} on indented lines, the last of them ended. */
  static String page(Consumer<JsonOutput> content) {
    return text(content, true) + "\n";
  }

  private static String text(Consumer<JsonOutput> content, boolean indented) {
    StringWriter text = new StringWriter(USUAL_LENGTH);
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      if (indented) {
        generator.setPrettyPrinter(indentation());
      }
      content.accept(new JsonOutput(generator));
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

  /** Ends a line. */
  void endLine() {
    write(() -> generator.writeRaw('\n'));
  }

  /** Passes on what was written. */
  void flush() {
    write(generator::flush);
  }

  /** Writes an object. */
  void object(Runnable fields) {
    try {
      generator.writeStartObject();
      fields.run();
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes an array. */
  <T> void array(Collection<T> elements, BiConsumer<JsonOutput, T> mapping) {
    try {
      generator.writeStartArray();
      for (T element : elements) {
        mapping.accept(this, element);
      }
      generator.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a string.
   *
   * @throws IllegalArgumentException if it is not Unicode, so that no file can hold it
   */
  void text(String value) {
    try {
      generator.writeString(Text.require(value, "a string"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void number(long value) {
    try {
      generator.writeNumber(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    try {
      generator.writeFieldName(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  <T> void field(String name, T value, Form<T> form) {
    form.writer().accept(name(name), value);
  }

  /** Writes a field unless it holds its default. */
  <T> void field(String name, T value, T byDefault, Form<T> form) {
    if (!value.equals(byDefault)) {
      field(name, value, form);
    }
  }

  private static void write(Write write) {
    try {
      write.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Write {
    void run() throws IOException;
  }
}
