package io.github.liquidscheduler.slurm;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Words such as {@code liquid.expected=90s} among those of others in a comment. */
record Words(Map<String, String> values) {

  private static final Pattern WORD = Pattern.compile("(?<!\\S)liquid\\.([a-z]+)=(\\S+)");

  private static final Pattern DURATION =
      Pattern.compile("(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?");

  static Words of(String comment) {
    Map<String, String> values = new LinkedHashMap<>();
    Matcher word = WORD.matcher(comment);
    while (word.find()) {
      values.put(word.group(1), word.group(2));
    }
    return new Words(values);
  }

  Optional<String> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** Returns a duration such as {@code 2h30m}; empty if it is none. */
  static Optional<Duration> duration(String text) {
    Matcher parts = DURATION.matcher(text);
    return text.isEmpty() || !parts.matches()
        ? Optional.empty()
        : Optional.of(
            Duration.ofDays(part(parts.group(1)))
                .plusHours(part(parts.group(2)))
                .plusMinutes(part(parts.group(3)))
                .plusSeconds(part(parts.group(4))));
  }

  private static long part(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
