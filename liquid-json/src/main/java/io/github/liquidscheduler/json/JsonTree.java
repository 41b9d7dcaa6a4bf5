package io.github.liquidscheduler.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.github.liquidscheduler.text.Text;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses one document into {@link JsonValue}s. */
final class JsonTree {

  private final String source;
  private final int linesBefore;
  private final JsonParser parser;

  /** Makes a tree of what {@code parser} reads, after {@code linesBefore} lines of a document. */
  JsonTree(String source, int linesBefore, JsonParser parser) {
    this.source = source;
    this.linesBefore = linesBefore;
    this.parser = parser;
  }

  /**
   * Reads to the end of the document.
   *
   * @throws JsonFormatException if it is not one JSON value, or is beyond the limits
   * @throws IOException if it cannot be read
   */
  JsonValue document() throws IOException {
    try {
      if (parser.nextToken() == null) {
        throw new JsonFormatException(source, linesBefore + 1, 1, "must be JSON, but was empty");
      }
      JsonValue root = value(null, null);
      if (parser.nextToken() != null) {
        throw here(null, null).refuse("nothing may follow the document");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw located(e);
    } catch (CharacterCodingException e) {
      throw here(null, null).refuse("must be in UTF-8, but what follows is not");
    }
  }

  private JsonValue value(@Nullable JsonPlace parent, @Nullable Object step) throws IOException {
    JsonPlace place = here(parent, step);
    return switch (parser.currentToken()) {
      case START_OBJECT -> new JsonValue(place, members(place));
      case START_ARRAY -> new JsonValue(place, elements(place));
      case VALUE_STRING -> new JsonValue(place, unicode(place, parser.getText()));
      case VALUE_NUMBER_INT -> new JsonValue(place, new JsonValue.Numeral(parser.getText(), true));
      case VALUE_NUMBER_FLOAT ->
          new JsonValue(place, new JsonValue.Numeral(parser.getText(), false));
      case VALUE_TRUE -> new JsonValue(place, true);
      case VALUE_FALSE -> new JsonValue(place, false);
      default -> new JsonValue(place, JsonValue.NULL);
    };
  }

  private Map<String, JsonValue> members(JsonPlace place) throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = unicode(place, parser.currentName());
      parser.nextToken();
      JsonValue value = value(place, name);
      if (members.put(name, value) != null) {
        throw value.refuse("the field '" + name + "' comes twice");
      }
    }
    return members;
  }

  private List<JsonValue> elements(JsonPlace place) throws IOException {
    List<JsonValue> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(place, elements.size()));
    }
    return elements;
  }

  private static String unicode(JsonPlace place, String text) {
    try {
      return Text.require(text, "a string");
    } catch (IllegalArgumentException e) {
      throw place.refuse(String.valueOf(e.getMessage()));
    }
  }

  private JsonPlace here(@Nullable JsonPlace parent, @Nullable Object step) {
    JsonLocation location = parser.currentTokenLocation();
    int column = Math.max(1, location.getColumnNr());
    return new JsonPlace(source, linesBefore + location.getLineNr(), column, parent, step);
  }

  private JsonFormatException located(JsonProcessingException e) {
    JsonLocation location = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    JsonFormatException located =
        new JsonFormatException(
            source, linesBefore + location.getLineNr(), location.getColumnNr(), rule(e));
    located.initCause(e);
    return located;
  }

  /** Returns the parser's message without its hints to the programmer. */
  private static String rule(JsonProcessingException e) {
    return switch (e) {
      case JsonEOFException end -> "the document ends before it is complete";
      case StreamConstraintsException beyond ->
          "the document is beyond a limit: " + words(beyond).replaceAll(", from `[^`]*`", "");
      default ->
          "not valid JSON: " + words(e).replaceAll("(: enable `.*)|( ?\\(start marker.*)", "");
    };
  }

  private static String words(JsonProcessingException e) {
    return String.valueOf(e.getOriginalMessage());
  }
}
