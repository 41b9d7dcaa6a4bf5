package io.github.liquidscheduler.json;

/** Tells strings that a file can hold from those with half of a surrogate pair. */
final class Unicode {

  static final String RULE = "a string must be Unicode, but this one has half of a surrogate pair";

  private Unicode() {}

  /**
   * Returns {@code text}.
   *
   * @throws IllegalArgumentException if it is not Unicode, so that no file can hold it
   */
  static String require(String text) {
    if (!holds(text)) {
      throw new IllegalArgumentException(RULE);
    }
    return text;
  }

  static boolean holds(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints().noneMatch(Unicode::isSurrogate);
      }
    }
    return true;
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
