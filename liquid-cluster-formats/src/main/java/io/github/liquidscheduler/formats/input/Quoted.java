package io.github.liquidscheduler.formats.input;

/** Shows values of unknown origin in messages: quoted, on one line, and not at full length. */
public final class Quoted {

  private static final int LONGEST = 60;

  private Quoted() {}

  /** Returns the value as messages show it. */
  public static String of(String value) {
    String shown = value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…";
    return "'" + shown.replaceAll("\\p{Cntrl}", "\uFFFD") + "'";
  }
}
