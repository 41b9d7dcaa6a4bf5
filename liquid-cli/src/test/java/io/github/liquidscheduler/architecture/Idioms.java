package io.github.liquidscheduler.architecture;

import java.util.List;
import java.util.regex.Pattern;

/** Turns of phrase, and room as a noun for capacity, that plain English of the field avoids. */
final class Idioms {
  private static final Pattern IDIOM =
      Pattern.compile(
          "(?i:\\b(whom|whoever|anew|returns who|so many|as long as|what there is)\\b)"
              + "|[a-z]Anew|[a-z]Whoever|[a-z]Whom"
              + "|(?<![A-Za-z])room|Room|(?<![A-Z])ROOM(?![A-Z])");

  /** Keys and names of formats, which stay. */
  private static final Pattern ONE_WORD = Pattern.compile("\"[\\w-]*\"|`[\\w-]*`");

  private static final Pattern NEXT_LINE = Pattern.compile("\\s*\\n\\s*(?://+|\\*(?!/))?\\s*");

  private Idioms() {}

  /** Returns the idioms in a text, each with some of the text around it. */
  static List<String> in(String text) {
    String plain = ONE_WORD.matcher(text).replaceAll("\"\"");
    String line = NEXT_LINE.matcher(plain).replaceAll(" ");
    return IDIOM
        .matcher(line)
        .results()
        .map(found -> around(line, found.start(), found.end()))
        .toList();
  }

  private static String around(String line, int start, int end) {
    return line.substring(Math.max(0, start - 30), Math.min(line.length(), end + 30));
  }
}
