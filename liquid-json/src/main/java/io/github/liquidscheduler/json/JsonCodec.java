package io.github.liquidscheduler.json;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads and writes values of one type as JSON. Immutable; {@link JsonCodecs} has them all.
 *
 * <p>What is written reads back as an equal value, numbers exactly. Equal values are written alike,
 * fields that hold their default being left out.
 *
 * @param <T> the type
 */
public final class JsonCodec<T> {

  private final Form<T> form;
  private final JsonDocuments documents;

  JsonCodec(Form<T> form) {
    this(form, JsonLimits.DEFAULT);
  }

  private JsonCodec(Form<T> form, JsonLimits limits) {
    this.form = form;
    documents = new JsonDocuments(limits);
  }

  /** Returns this codec with other limits. */
  public JsonCodec<T> withLimits(JsonLimits limits) {
    return new JsonCodec<>(form, limits);
  }

  /**
   * Reads a file in UTF-8.
   *
   * @throws JsonFormatException if it is not in the format
   * @throws UncheckedIOException if it cannot be read
   */
  public T read(Path file) {
    try (Reader text = Files.newBufferedReader(file)) {
      return read(file.toString(), text);
    } catch (IOException e) {
      throw Failures.reading(file.toString(), e);
    }
  }

  /**
   * Reads a text to its end and leaves it open.
   *
   * @param source what errors call the text
   * @throws JsonFormatException if it is not in the format
   * @throws UncheckedIOException if it cannot be read
   */
  public T read(String source, Reader text) {
    JsonValue root = documents.parse(source, 0, text);
    return root.at(() -> form.read(root));
  }

  /**
   * Reads a text.
   *
   * @param source what errors call the text
   * @throws JsonFormatException if it is not in the format
   */
  public T read(String source, String text) {
    return read(source, new StringReader(text));
  }

  /** Returns {@code value} as JSON on one line, without a line end. */
  public String write(T value) {
    return JsonOutput.line(out -> form.write(out, value));
  }

  /** Returns {@code value} as JSON on indented lines, with a line end. */
  public String writeIndented(T value) {
    return JsonOutput.page(out -> form.write(out, value));
  }

  /**
   * Writes {@code value} to a file as {@link #writeIndented} does, in UTF-8.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void write(T value, Path file) {
    try {
      Files.writeString(file, writeIndented(value));
    } catch (IOException e) {
      throw Failures.writing(file.toString(), e);
    }
  }
}
