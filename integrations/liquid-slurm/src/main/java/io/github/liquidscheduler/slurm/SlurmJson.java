package io.github.liquidscheduler.slurm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the jobs or nodes of Slurm's JSON. Versions differ in how they write a value: {@code 3},
 * {@code null} or {@code {"set":true,"infinite":false,"number":3}}; {@code "PENDING"} or {@code
 * ["PENDING"]}.
 */
final class SlurmJson {

  private static final JsonFactory JSON = new JsonFactory();

  private final String source;
  private final Set<String> wanted;
  private final JsonParser parser;
  private final List<String> errors = new ArrayList<>();

  private SlurmJson(String source, Set<String> wanted, JsonParser parser) {
    this.source = source;
    this.wanted = wanted;
    this.parser = parser;
  }

  /**
   * Returns the records of a list.
   *
   * @param source what messages call the text
   * @param list the name of the list, such as {@code jobs}
   * @param wanted the fields to keep
   * @throws IOException if it is not JSON, lacks the list, or states errors: the list is not
   *     complete then, whatever is in it
   */
  static List<SlurmRecord> read(String source, String text, String list, Set<String> wanted)
      throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      return new SlurmJson(source, wanted, parser).records(list);
    } catch (JsonProcessingException e) {
      throw new IOException(source + " must be JSON, but was not: " + e.getOriginalMessage(), e);
    }
  }

  private List<SlurmRecord> records(String list) throws IOException {
    List<SlurmRecord> records = new ArrayList<>();
    boolean found = false;
    require(parser.nextToken() == JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("errors")) {
        readErrors();
      } else if (name.equals(list)) {
        require(parser.currentToken() == JsonToken.START_ARRAY, "a list of " + list);
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          records.add(record());
        }
        require(parser.currentToken() == JsonToken.END_ARRAY, "a list of objects of " + list);
        found = true;
      } else {
        parser.skipChildren();
      }
    }
    require(parser.currentToken() == JsonToken.END_OBJECT, "a whole object");
    if (!errors.isEmpty()) {
      throw new IOException(source + " states errors: " + String.join("; ", errors));
    }
    require(found, "a list of " + list);
    return records;
  }

  private void require(boolean holds, String what) throws IOException {
    if (!holds) {
      throw new IOException(source + " must have " + what + ", but has not");
    }
  }

  private void readErrors() throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    int depth = 1;
    while (depth > 0) {
      JsonToken token = parser.nextToken();
      require(token != null, "a whole list of errors");
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (token.isStructStart() && depth == 2) {
        errors.add("");
      } else if (token.isScalarValue() && !parser.getText().isEmpty()) {
        String before = errors.isEmpty() ? "" : errors.removeLast();
        errors.add((before + " " + parser.getText()).strip());
      }
    }
  }

  private SlurmRecord record() throws IOException {
    Map<String, List<String>> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (wanted.contains(name)) {
        List<String> words = value();
        if (!words.isEmpty()) {
          fields.put(name, words);
        }
      } else {
        parser.skipChildren();
      }
    }
    return new SlurmRecord(fields);
  }

  private List<String> value() throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> number();
      case START_ARRAY -> elements();
      case VALUE_NULL -> List.of();
      default -> parser.getText().isEmpty() ? List.of() : List.of(parser.getText());
    };
  }

  private List<String> elements() throws IOException {
    List<String> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      require(parser.currentToken() != null, "a whole list");
      elements.addAll(value());
    }
    return elements;
  }

  /** Reads a number that may be unset or infinite; any other object has no words. */
  private List<String> number() throws IOException {
    Map<String, String> parts = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (parser.nextToken().isScalarValue()) {
        parts.put(name, parser.getText());
      } else {
        parser.skipChildren();
      }
    }
    if ("true".equals(parts.get("infinite"))) {
      return List.of(SlurmRecord.INFINITE);
    }
    String number = parts.get("number");
    return number != null && "true".equals(parts.get("set")) ? List.of(number) : List.of();
  }
}
