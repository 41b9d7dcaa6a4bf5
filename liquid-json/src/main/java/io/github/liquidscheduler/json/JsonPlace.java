package io.github.liquidscheduler.json;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a value: its document, line and column, and the steps that lead to it. Steps are
 * kept as a chain, since the path is spelled out only in an error.
 */
record JsonPlace(
    String source, int line, int column, @Nullable JsonPlace parent, @Nullable Object step) {

  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  JsonFormatException refuse(String rule) {
    return new JsonFormatException(source, line, column, path() + ": " + rule);
  }

  /** Returns the steps from the document's root, such as {@code $.nodes[3].gpus[0].memory}. */
  String path() {
    if (parent == null) {
      return "$";
    }
    String name = String.valueOf(step);
    if (step instanceof Integer) {
      return parent.path() + "[" + name + "]";
    }
    return parent.path() + (PLAIN_NAME.matcher(name).matches() ? "." + name : "['" + name + "']");
  }
}
