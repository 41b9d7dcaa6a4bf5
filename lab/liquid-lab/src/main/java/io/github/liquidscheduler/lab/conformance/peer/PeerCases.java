package io.github.liquidscheduler.lab.conformance.peer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of cases: a JSON array of them. */
public final class PeerCases {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final List<PeerCase> cases;

  PeerCases(List<PeerCase> cases) {
    this.cases = List.copyOf(cases);
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if it is not an array of cases; the message says where
   * @throws UncheckedIOException if it cannot be read
   */
  public static PeerCases read(Path file) {
    try (Reader text = Files.newBufferedReader(file);
        JsonParser parser = JSON.createParser(text)) {
      return new PeerCases(cases(file.toString(), parser));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s:%d: %s".formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the cases in the order of the file. */
  public List<PeerCase> cases() {
    return cases;
  }

  private static List<PeerCase> cases(String file, JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      throw new IllegalArgumentException(file + ":1: must be an array of cases");
    }
    List<PeerCase> cases = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      int line = parser.currentTokenLocation().getLineNr();
      try {
        cases.add(PeerCase.of(Facts.of(value(parser))));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("%s:%d: %s".formatted(file, line, e.getMessage()), e);
      }
    }
    if (parser.nextToken() != null) {
      throw new IllegalArgumentException(
          "%s:%d: must end after the array of cases"
              .formatted(file, parser.currentTokenLocation().getLineNr()));
    }
    return cases;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  private static double number(JsonParser parser) throws IOException {
    double number = parser.getDoubleValue();
    if (Double.isInfinite(number)) {
      throw new JsonParseException(parser, "a number must be finite, but was " + parser.getText());
    }
    return number;
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      @Nullable Object value = value(parser);
      if (value != null) {
        fields.put(name, value);
      }
    }
    return fields;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      @Nullable Object value = value(parser);
      if (value != null) {
        elements.add(value);
      }
    }
    return Collections.unmodifiableList(elements);
  }
}
