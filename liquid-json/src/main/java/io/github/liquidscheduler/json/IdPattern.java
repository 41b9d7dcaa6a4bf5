package io.github.liquidscheduler.json;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An id with a place for a number, such as {@code n%d} (n0, n1, …) or, of at least three digits,
 * {@code n%03d} (n000, n001, …).
 */
record IdPattern(String prefix, int width, String suffix) {

  /** A few bytes of text can ask for a million ids, so that they must be short. */
  private static final int MAX_LENGTH = 256;

  private static final Pattern TEXT = Pattern.compile("([^%]*)%(?:0([1-9]))?d([^%]*)");
  private static final Pattern NUMBERED = Pattern.compile("([^%]*?)([0-9]{1,9})");

  /** Reads a pattern. */
  static IdPattern from(JsonValue in) {
    Matcher matcher = TEXT.matcher(in.text());
    if (!matcher.matches()) {
      throw in.expected("an id with one place for the number, such as \"n%d\" or \"n%03d\"");
    }
    if (in.text().length() > MAX_LENGTH) {
      throw in.expected("an id of up to " + MAX_LENGTH + " characters, as all ids of a group");
    }
    int width = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
    return new IdPattern(matcher.group(1), width, matcher.group(3));
  }

  /** Returns true if {@code id} ends in a number, so that a pattern can stand for it. */
  static boolean fits(String id) {
    return id.length() < MAX_LENGTH && NUMBERED.matcher(id).matches();
  }

  /** Returns the pattern of {@code id}, which fits. */
  static IdPattern of(String id) {
    String digits = id.substring(id.length() - digits(id).length());
    boolean padded = digits.length() > 1 && digits.startsWith("0");
    return new IdPattern(
        id.substring(0, id.length() - digits.length()), padded ? digits.length() : 1, "");
  }

  /** Returns the number at the end of {@code id}, which fits. */
  static int numberOf(String id) {
    return Integer.parseInt(digits(id));
  }

  String at(int number) {
    return prefix + padded(number) + suffix;
  }

  @Override
  public String toString() {
    return prefix + (width == 1 ? "%d" : "%0" + width + "d") + suffix;
  }

  private static String digits(String id) {
    Matcher matcher = NUMBERED.matcher(id);
    return matcher.matches() ? matcher.group(2) : "";
  }

  private String padded(int number) {
    String digits = Integer.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }
}
