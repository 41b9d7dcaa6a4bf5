package io.github.liquidscheduler.simulator.input;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The times of one log, to the second or to the minute: all numbers, or all with a zone, or all
 * without. Times without are those of a clock that is never put forward or back. Mutable.
 */
public final class LogTimes {

  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4}-\\d{2}-\\d{2})[ T](\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?) ?(\\S{0,9})");
  private static final Pattern ABSENT =
      Pattern.compile("|none|null|nil|na|n/a|nan|nat|unknown|-", Pattern.CASE_INSENSITIVE);
  private static final String RULE =
      "must be a time such as 2017-09-04 10:30:41, alone or with a zone such as Z, UTC, PDT, PST or"
          + " +08:00";

  private @Nullable Kind kind;

  /** Starts a log. */
  public LogTimes() {}

  /** Returns true if a value stands for no time, such as {@code Unknown} or {@code null}. */
  public static boolean isAbsent(String text) {
    return ABSENT.matcher(text).matches();
  }

  /**
   * Returns a time; empty if the value stands for none.
   *
   * @throws DateTimeException as {@link #of}
   */
  public Optional<Instant> optional(String text) {
    return isAbsent(text) ? Optional.empty() : Optional.of(of(text));
  }

  /**
   * Returns a time.
   *
   * @throws DateTimeException if it is malformed, or has a zone and others have not; the message is
   *     the broken rule
   */
  public Instant of(String text) {
    Matcher parts = TIME.matcher(text);
    if (!parts.matches()) {
      throw new DateTimeException(RULE);
    }
    require(parts.group(3).isEmpty() ? Kind.LOCAL : Kind.ZONED);
    try {
      return LocalDateTime.of(LocalDate.parse(parts.group(1)), LocalTime.parse(parts.group(2)))
          .toInstant(zone(parts.group(3)));
    } catch (DateTimeException e) {
      throw new DateTimeException(RULE, e);
    }
  }

  /**
   * Records that a time is a number.
   *
   * @throws DateTimeException if others are not; the message is the broken rule
   */
  public void requireNumbers() {
    require(Kind.NUMBER);
  }

  private void require(Kind next) {
    if (kind == null) {
      kind = next;
    } else if (kind != next) {
      throw new DateTimeException("must be " + kind.text + ", as earlier times are");
    }
  }

  private static ZoneOffset zone(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "", "Z", "UTC", "GMT" -> ZoneOffset.UTC;
      case "PST" -> ZoneOffset.ofHours(-8);
      case "PDT" -> ZoneOffset.ofHours(-7);
      default -> ZoneOffset.of(text);
    };
  }

  private enum Kind {
    NUMBER("a number"),
    LOCAL("a time without a zone"),
    ZONED("a time with a zone");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }
}
