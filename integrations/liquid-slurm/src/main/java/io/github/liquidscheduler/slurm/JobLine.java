package io.github.liquidscheduler.slurm;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one line of {@code squeue} tells of a job or of one task of an array. */
record JobLine(Map<JobLine.Column, String> values) {

  /** The columns, by their names in {@code squeue -O}. */
  enum Column {
    JOB("JobID"),
    ARRAY("ArrayJobID"),
    TASK("ArrayTaskID"),
    STATE("StateCompact"),
    PRIORITY("PriorityLong"),
    RESTARTS("RestartCnt"),
    NODES("NodeList"),
    START("StartTime"),
    LIMIT("TimeLimit"),
    REQUIRED("ReqNodes"),
    SWITCHES("ReqSwitch"),
    REASON("Reason"),
    DEPENDENCY("Dependency"),
    SUBMITTED("SubmitTime"),
    PARTITION("Partition"),
    ACCOUNT("Account"),
    QOS("QOS"),
    NICE("Nice"),
    LICENSES("Licenses"),
    FEATURES("Feature"),
    TRES("tres-per-node"),
    COUNT("NumNodes");

    private final String word;

    Column(String word) {
      this.word = word;
    }
  }

  /** The argument of {@code squeue -O} that prints such lines. */
  static final String FORMAT =
      Arrays.stream(Column.values())
          .map(column -> column.word + ":|")
          .collect(Collectors.joining(","));

  private static final Pattern LIMIT =
      Pattern.compile("(?:([0-9]+)-)?(?:([0-9]+):)?([0-9]+):([0-9]{2})");

  JobLine {
    values = Collections.unmodifiableMap(new EnumMap<>(values));
  }

  /**
   * Reads lines.
   *
   * @throws IOException if one has not each column
   */
  static List<JobLine> read(String text) throws IOException {
    List<JobLine> lines = new ArrayList<>();
    for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
      String[] values = line.split("\\|", -1);
      if (values.length != Column.values().length + 1) {
        throw new IOException(
            "squeue must print %d columns, but printed: %s"
                .formatted(Column.values().length, line));
      }
      Map<Column, String> stated = new EnumMap<>(Column.class);
      Iterator<String> next = List.of(values).iterator();
      for (Column column : Column.values()) {
        stated.put(column, stated(next.next()));
      }
      lines.add(new JobLine(stated));
    }
    return lines;
  }

  private static String stated(String value) {
    String text = value.strip();
    return text.equals("(null)") || text.equals("N/A") ? "" : text;
  }

  String text(Column column) {
    return values.getOrDefault(column, "");
  }

  /** Returns the id by which users and commands name it, such as {@code 17} or {@code 17_3}. */
  String id() {
    return isTask() ? text(Column.ARRAY) + "_" + text(Column.TASK) : text(Column.JOB);
  }

  boolean isTask() {
    return !text(Column.TASK).isEmpty();
  }

  long number(Column column) {
    String text = text(column);
    return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /** Returns when it began, or the earliest time at which it may. */
  Optional<Instant> start() {
    return time(Column.START);
  }

  /** Returns a time, if there is one. */
  Optional<Instant> time(Column column) {
    try {
      return Optional.of(LocalDateTime.parse(text(column)).toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** Returns the limit of its time in seconds; empty if it has none. */
  OptionalLong limitSeconds() {
    Matcher limit = LIMIT.matcher(text(Column.LIMIT));
    return limit.matches()
        ? OptionalLong.of(
            ((part(limit.group(1)) * 24 + part(limit.group(2))) * 60 + part(limit.group(3))) * 60
                + part(limit.group(4)))
        : OptionalLong.empty();
  }

  private static long part(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** Returns what changes only when somebody changes the job. */
  List<String> request() {
    return EnumSet.range(Column.SUBMITTED, Column.COUNT).stream().map(this::text).toList();
  }
}
