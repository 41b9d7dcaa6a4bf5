package io.github.liquidscheduler.text;

import java.util.Collection;
import java.util.Objects;

/** Checks texts where they enter: what no file can hold could be neither journaled nor saved. */
public final class Text {

  private static final int LONGEST_RING = 20;

  private Text() {}

  /**
   * Returns {@code value}.
   *
   * @param what what it is, for the message
   * @throws IllegalArgumentException if it is not Unicode, so that no file can hold it
   */
  public static String require(String value, String what) {
    Objects.requireNonNull(value, what);
    if (!isUnicode(value)) {
      throw new IllegalArgumentException(
          what + " must be Unicode, but has half of a surrogate pair");
    }
    return value;
  }

  /**
   * Returns {@code value}.
   *
   * @param what what it is, for the message
   * @throws IllegalArgumentException if it is blank or not Unicode
   */
  public static String requireName(String value, String what) {
    require(value, what);
    if (value.isBlank()) {
      throw new IllegalArgumentException(what + " must not be blank");
    }
    return value;
  }

  /**
   * Returns a text for people as one line that is safe to show: what controls a terminal or the
   * direction of writing, or is not Unicode, becomes a space, and the end of a long text is cut.
   *
   * @param most the most code points of it
   */
  public static String line(String text, int most) {
    String line =
        text.codePoints()
            .map(each -> isShown(each) ? each : ' ')
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
            .strip();
    return line.codePointCount(0, line.length()) <= most
        ? line
        : line.substring(0, line.offsetByCodePoints(0, most - 1)).strip() + "…";
  }

  private static boolean isShown(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /**
   * Returns those of a path that form a ring, from one to itself, in words; cut if they are many.
   *
   * @param path what each is in, from the inside out
   * @param again the one of them that the last is in
   */
  public static String ring(Collection<?> path, Object again) {
    StringBuilder ring = new StringBuilder();
    path.stream()
        .dropWhile(each -> !each.equals(again))
        .limit(LONGEST_RING)
        .forEach(each -> ring.append("'").append(each).append("' in "));
    boolean isCut = path.stream().dropWhile(each -> !each.equals(again)).count() > LONGEST_RING;
    return ring + (isCut ? "... in '" : "'") + again + "'";
  }

  /** Returns true if no half of a surrogate pair stands alone. */
  private static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints().noneMatch(Text::isSurrogate);
      }
    }
    return true;
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
