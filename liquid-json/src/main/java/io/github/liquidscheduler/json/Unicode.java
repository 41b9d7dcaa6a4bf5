package io.github.liquidscheduler.json;

/** Tells strings that a file can hold from those with half of a surrogate pair. */
final class Unicode {

  static final String RULE = "a string must be Unicode, but this one has half of a surrogate pair";

  private Unicode() {}

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
