package io.github.liquidscheduler.formats.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an array in a JSON text, one at a time: of the array that the text is, or of the
 * one that is a member of the object that the text is. Plain or compressed with gzip.
 */
public final class JsonRecords {

  private static final int MOST_VALUES = 1_000_000;
  private static final int DEEPEST = 100;
  private static final int LONGEST_STRING = 1 << 22;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxStringLength(LONGEST_STRING)
                  .build())
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private final String source;
  private final JsonParser parser;
  private final String member;
  private final boolean isMember;
  private int values;

  private JsonRecords(String source, JsonParser parser, String member, boolean isMember) {
    this.source = source;
    this.parser = parser;
    this.member = member;
    this.isMember = isMember;
  }

  /**
   * Returns the objects of an array.
   *
   * @param source what messages call the text
   * @param bytes the text, which the caller closes
   * @param member the name of the array if the text is an object
   * @throws InputFormatException if the text is neither an array nor an object with that member
   */
  public static JsonRecords of(String source, InputStream bytes, String member) {
    JsonParser parser = null;
    try {
      parser = JSON.createParser(Compression.decompressed(bytes));
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new InputFormatException(source + ": the file must hold JSON, but is empty");
      }
      JsonRecords records =
          new JsonRecords(source, parser, member, first == JsonToken.START_OBJECT);
      records.enter(first);
      return records;
    } catch (IOException e) {
      throw refused(source, parser, e);
    }
  }

  /** Returns the next object, or null after the last. */
  public @Nullable JsonRecord next() {
    try {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.END_ARRAY) {
        finish();
        return null;
      }
      if (token != JsonToken.START_OBJECT) {
        throw error("an element of the array must be an object");
      }
      values = 0;
      int line = line(parser.currentTokenLocation());
      return new JsonRecord(source, line, object());
    } catch (IOException e) {
      throw refused(source, parser, e);
    }
  }

  private void enter(JsonToken first) throws IOException {
    if (first == JsonToken.START_ARRAY) {
      return;
    }
    while (isMember && parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean isWanted = member.equals(parser.currentName());
      if (parser.nextToken() == JsonToken.START_ARRAY && isWanted) {
        return;
      }
      parser.skipChildren();
    }
    throw error("the JSON must be an array, or an object with the array '" + member + "'");
  }

  /** Reads on to the end, so that a text that is cut short is not taken for a whole one. */
  private void finish() throws IOException {
    while (isMember && parser.nextToken() == JsonToken.FIELD_NAME) {
      requireNew(!parser.currentName().equals(member), parser.currentName());
      parser.nextToken();
      parser.skipChildren();
    }
    if (parser.nextToken() != null) {
      throw error("nothing may follow the JSON");
    }
  }

  private Map<String, @Nullable Object> object() throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      requireNew(!members.containsKey(name), name);
      parser.nextToken();
      members.put(name, value());
    }
    return members;
  }

  private void requireNew(boolean isNew, String name) {
    if (!isNew) {
      throw error(
          "an object must have each member once, but has %s twice".formatted(Quoted.of(name)));
    }
  }

  private @Nullable Object value() throws IOException {
    if (++values > MOST_VALUES) {
      throw error("an element must have at most " + MOST_VALUES + " values, but had more");
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  private List<@Nullable Object> array() throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value());
    }
    return elements;
  }

  private InputFormatException error(String rule) {
    return new InputFormatException(
        source + ":" + line(parser.currentTokenLocation()) + ": " + rule);
  }

  private static int line(JsonLocation location) {
    return Math.max(1, location.getLineNr());
  }

  private static InputFormatException refused(
      String source, @Nullable JsonParser parser, IOException e) {
    int line = parser == null ? 1 : line(parser.currentLocation());
    return new InputFormatException(source + ":" + line + ": " + rule(e), e);
  }

  private static String rule(IOException e) {
    if (e instanceof JsonEOFException) {
      return "the JSON must be whole, but is cut short";
    }
    return e instanceof JsonProcessingException parsing
        ? "the JSON must be well-formed, but: " + parsing.getOriginalMessage()
        : Compression.rule(e);
  }
}
