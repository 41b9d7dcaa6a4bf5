package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A piece of a text with its source, and its line and column there, both from 1. */
public record Token(String source, int line, int column, String text) {

  private static final int LONGEST_QUOTE = 60;
  private static final Pattern WORD = Pattern.compile("\\S+");

  /** Returns the words of a line. */
  public static List<Token> words(String source, int line, String text) {
    return WORD.matcher(text)
        .results()
        .map(word -> new Token(source, line, word.start() + 1, word.group()))
        .toList();
  }

  /** Returns words with one blank between them. */
  public static String joined(List<Token> words) {
    return words.stream().map(Token::text).collect(Collectors.joining(" "));
  }

  /** Returns another text at this place. */
  public Token with(String other) {
    return new Token(source, line, column, other);
  }

  /** Returns the part from {@code first} to {@code end}. */
  public Token part(int first, int end) {
    return new Token(source, line, column + first, text.substring(first, end));
  }

  /** Returns an exception about a rule broken by this piece. */
  public InputFormatException error(String rule) {
    return new InputFormatException(
        "%s:%d:%d: %s, but was '%s'".formatted(source, line, column, rule, quoted()));
  }

  /** Returns the place as messages name it. */
  public String place() {
    return "line " + line;
  }

  private String quoted() {
    return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
  }
}
