package io.github.liquidscheduler.json;

import java.time.Instant;
import java.time.LocalDate;

/**
 * The text of an instant, as {@link Instant#toString()} has it, which goes through a general
 * formatter; every line of a journal has one or two. Here it costs a tenth.
 */
final class InstantText {

  /** The seconds of a day. */
  static final int DAY = 86_400;

  private InstantText() {}

  static String of(Instant instant) {
    long day = Math.floorDiv(instant.getEpochSecond(), DAY);
    boolean isPlain = instant.getNano() == 0 && Math.abs(day) < 700_000;
    return isPlain
        ? wholeSecond(day, Math.floorMod(instant.getEpochSecond(), DAY))
        : instant.toString();
  }

  /** Returns the text of a second of a day between the years 53 and 3886. */
  private static String wholeSecond(long day, int second) {
    StringBuilder text = new StringBuilder(20);
    text.append(LocalDate.ofEpochDay(day)).append('T');
    twoDigits(text, second / 3600).append(':');
    twoDigits(text, second / 60 % 60).append(':');
    return twoDigits(text, second % 60).append('Z').toString();
  }

  private static StringBuilder twoDigits(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
