package io.github.liquidscheduler.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;

/** Parses documents within limits. Thread-safe. */
final class JsonDocuments {

  private final JsonLimits limits;
  private final JsonFactory factory;

  JsonDocuments(JsonLimits limits) {
    this.limits = limits;
    factory =
        JsonFactory.builder()
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            // A symbol table would outlive the document, and its names are as untrusted as the
            // rest.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.maxDepth())
                    .maxTokenCount(limits.maxTokens())
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();
  }

  /**
   * Parses the whole of {@code text} and leaves it open.
   *
   * @param source what errors call the document
   * @param linesBefore how many lines of the document come before {@code text}
   * @throws JsonFormatException if it is not one JSON value, or is beyond the limits
   * @throws UncheckedIOException if {@code text} cannot be read
   */
  JsonValue parse(String source, int linesBefore, Reader text) {
    try (JsonParser parser = factory.createParser(bounded(source, text))) {
      return new JsonTree(source, linesBefore, parser).document();
    } catch (IOException e) {
      throw Failures.reading(source, e);
    }
  }

  /** Parses the whole of {@code text}. */
  JsonValue parse(String source, int linesBefore, String text) {
    return parse(source, linesBefore, new StringReader(text));
  }

  private Reader bounded(String source, Reader text) {
    int limit = limits.maxDocumentCharacters();
    String rule = "the document is longer than " + Count.of(limit, "character");
    return new BoundedReader(text, limit, () -> new JsonFormatException(source, 1, 1, rule));
  }
}
