package io.github.liquidscheduler.slurm;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A job or a node in Slurm's JSON, whatever the dialect: each field as a list of words. A field
 * that is not there, is null, is not set, or is empty has no words.
 */
record SlurmRecord(Map<String, List<String>> fields) {

  /** A number without an end. */
  static final String INFINITE = "infinite";

  SlurmRecord {
    fields = Map.copyOf(fields);
  }

  List<String> words(String field) {
    return fields.getOrDefault(field, List.of());
  }

  /** Returns the words in upper case. */
  List<String> states(String field) {
    return words(field).stream().map(word -> word.toUpperCase(Locale.ROOT)).toList();
  }

  /** Returns the words of the field, divided by commas; empty if there are none. */
  String text(String field) {
    return String.join(",", words(field));
  }

  /** Returns the number; empty if there is none, or it has no end. */
  OptionalLong number(String field) {
    String text = text(field);
    return text.matches("-?[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  boolean is(String field) {
    return text(field).equalsIgnoreCase("true");
  }
}
