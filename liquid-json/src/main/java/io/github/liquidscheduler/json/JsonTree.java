package io.github.liquidscheduler.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
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

  private JsonTree(String source, int linesBefore, JsonParser parser) {
    this.source = source;
    this.linesBefore = linesBefore;
    this.parser = parser;
  }

  /**
   * Parses the whole of {@code text}.
   *
   * @param source what errors call the document
   * @param linesBefore how many lines of the document come before {@code text}
   * @throws JsonFormatException if it is not one JSON value, or is beyond the limits
   * @throws IOException if {@code text} cannot be read
   */
  static JsonValue parse(String source, int linesBefore, Reader text, JsonLimits limits)
      throws IOException {
    Reader bounded =
        new BoundedReader(
            text,
            limits.maxDocumentCharacters(),
            () ->
                new JsonFormatException(
                    source,
                    1,
                    1,
                    "the document is longer than "
                        + limits.maxDocumentCharacters()
                        + " characters"));
    try (JsonParser parser = factory(limits).createParser(bounded)) {
      return new JsonTree(source, linesBefore, parser).document();
    }
  }

  /** Parses the whole of {@code text}, which is in memory already. */
  static JsonValue parse(String source, int linesBefore, String text, JsonLimits limits) {
    try {
      return parse(source, linesBefore, new StringReader(text), limits);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonFactory factory(JsonLimits limits) {
    return JsonFactory.builder()
        // A symbol table would outlive the document, and names in it are as untrusted as the rest.
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(limits.maxDepth())
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build())
        .build();
  }

  private JsonValue document() throws IOException {
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
    if (!Unicode.holds(text)) {
      throw place.refuse(Unicode.RULE);
    }
    return text;
  }

  private JsonPlace here(@Nullable JsonPlace parent, @Nullable Object step) {
    JsonLocation location = parser.currentTokenLocation();
    return new JsonPlace(
        source, linesBefore + location.getLineNr(), location.getColumnNr(), parent, step);
  }

  private JsonFormatException located(JsonProcessingException e) {
    JsonLocation location = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    JsonFormatException located =
        new JsonFormatException(
            source, linesBefore + location.getLineNr(), location.getColumnNr(), rule(e));
    located.initCause(e);
    return located;
  }

  /** Returns the parser's complaint without its hints to the programmer. */
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
