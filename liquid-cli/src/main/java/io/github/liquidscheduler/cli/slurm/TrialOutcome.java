package io.github.liquidscheduler.cli.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of a job of a trial, as Slurm wrote it down, in whole seconds.
 *
 * @param name the job's name
 * @param id Slurm's id of the job
 * @param state Slurm's last word, such as {@code COMPLETED}
 * @param nodes where it ran last
 */
record TrialOutcome(
    String name,
    String id,
    String state,
    LocalDateTime submitted,
    LocalDateTime started,
    LocalDateTime ended,
    String nodes) {

  /** Returns how long it waited before its last start. */
  Duration waited() {
    return Duration.between(submitted, started);
  }

  /** Returns the time from its submission to its end. */
  Duration completed() {
    return Duration.between(submitted, ended);
  }

  /**
   * Reads what {@code jobcomp/filetxt} writes: a line for each job that ended, of words with a name
   * and a value each.
   *
   * @throws IOException if it cannot be read
   */
  static List<TrialOutcome> read(Path history) throws IOException {
    List<TrialOutcome> outcomes = new ArrayList<>();
    for (String line : Files.readAllLines(history)) {
      Map<String, String> words = new HashMap<>();
      for (String word : line.split(" ", -1)) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          words.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
        }
      }
      if (word(words, "JobState").equals("PENDING")) {
        continue; // It was requeued.
      }
      outcomes.add(
          new TrialOutcome(
              word(words, "Name"),
              word(words, "JobId"),
              word(words, "JobState"),
              LocalDateTime.parse(word(words, "SubmitTime")),
              LocalDateTime.parse(started(words)),
              LocalDateTime.parse(word(words, "EndTime")),
              word(words, "NodeList")));
    }
    return List.copyOf(outcomes);
  }

  /** A job that Slurm takes for ended while it was to wait again has no start. */
  private static String started(Map<String, String> words) throws IOException {
    String start = word(words, "StartTime");
    return start.equals("Unknown") ? word(words, "EndTime") : start;
  }

  private static String word(Map<String, String> words, String name) throws IOException {
    String value = words.get(name);
    if (value == null) {
      throw new IOException("an ended job must have '%s', but had %s".formatted(name, words));
    }
    return value;
  }
}
