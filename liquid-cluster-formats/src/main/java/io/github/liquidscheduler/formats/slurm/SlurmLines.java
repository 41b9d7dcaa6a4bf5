package io.github.liquidscheduler.formats.slurm;

import io.github.liquidscheduler.formats.input.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The lines of a configuration file of Slurm as words: a backslash at the end makes one line of
 * two, {@code #} begins a comment, and blanks between double quotes divide no words.
 */
public final class SlurmLines {

  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\"?)+");

  private SlurmLines() {}

  /** Returns the words of each line that has any. */
  public static List<List<Token>> of(String source, List<String> lines) {
    List<List<Token>> all = new ArrayList<>();
    List<Token> words = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int comment = line.indexOf('#');
      String text = (comment < 0 ? line : line.substring(0, comment)).stripTrailing();
      boolean goesOn = text.endsWith("\\");
      int number = i + 1;
      WORD.matcher(goesOn ? text.substring(0, text.length() - 1) : text)
          .results()
          .map(word -> new Token(source, number, word.start() + 1, word.group()))
          .forEach(words::add);
      if (!goesOn && !words.isEmpty()) {
        all.add(List.copyOf(words));
        words.clear();
      }
    }
    if (!words.isEmpty()) {
      throw words.getLast().error("a line that ends with a backslash must be followed by another");
    }
    return all;
  }

  /**
   * Returns the values of {@code KEY=VALUE}, by the key in lower case; the last of a key counts.
   */
  public static Map<String, Token> values(List<Token> words) {
    Map<String, Token> values = new LinkedHashMap<>();
    for (Token word : words) {
      int equals = word.text().indexOf('=');
      if (equals > 0) {
        values.put(
            word.text().substring(0, equals).toLowerCase(Locale.ROOT),
            unquoted(word.part(equals + 1, word.text().length())));
      }
    }
    return values;
  }

  private static Token unquoted(Token value) {
    String text = value.text();
    return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
        ? value.part(1, text.length() - 1)
        : value;
  }

  /** Returns true if a line includes another file. */
  public static boolean isInclude(List<Token> words) {
    return words.getFirst().text().toLowerCase(Locale.ROOT).matches("include(=.*)?");
  }
}
