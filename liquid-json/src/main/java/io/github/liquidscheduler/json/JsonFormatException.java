package io.github.liquidscheduler.json;

/**
 * A document is not what its format asks for. The message is one line that names the document, the
 * line, the column, the path of the value, the rule and what was there instead.
 */
public final class JsonFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private static final int MAX_MESSAGE = 1000;

  private final String source;
  private final int line;
  private final int column;

  JsonFormatException(String source, int line, int column, String rule) {
    super(oneLine(source + ", line " + line + ", column " + column + ": " + rule));
    this.source = source;
    this.line = line;
    this.column = column;
  }

  /** Returns the name of the document: of a file, its path. */
  public String source() {
    return source;
  }

  /** Returns the number of the line, from 1. */
  public int line() {
    return line;
  }

  /** Returns the number of the character within the line, from 1. */
  public int column() {
    return column;
  }

  /** Shows characters that would break the line as escapes, and cuts what is far too long. */
  private static String oneLine(String message) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < message.length() && line.length() < MAX_MESSAGE; i++) {
      char c = message.charAt(i);
      line.append(breaksLine(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return line.length() < MAX_MESSAGE ? line.toString() : line + "…";
  }

  private static boolean breaksLine(char c) {
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
  }
}
