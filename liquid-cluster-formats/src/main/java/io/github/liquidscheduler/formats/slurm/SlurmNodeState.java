package io.github.liquidscheduler.formats.slurm;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of a node as Slurm prints it, such as {@code IDLE+CLOUD} or {@code DOWN*+DRAIN}: words
 * and signs. A node with a word that is not known to mean that it runs jobs is taken to run none.
 */
public final class SlurmNodeState {

  /** Busy, idle, starting, or switched off until it is needed. */
  private static final Set<String> RUNS_JOBS =
      Set.of(
          "ALLOC",
          "ALLOCATED",
          "BLOCKED",
          "CLOUD",
          "COMP",
          "COMPLETING",
          "DYNAMIC_NORM",
          "EXTERNAL",
          "IDLE",
          "MIX",
          "MIXED",
          "PERFCTRS",
          "PLANNED",
          "POWER_DOWN",
          "POWER_UP",
          "POWERED_DOWN",
          "POWERING_DOWN",
          "POWERING_UP",
          "REBOOT_REQUESTED",
          "RESERVED",
          "RESV",
          "UNKNOWN");

  /** Not responding, in maintenance, rebooting. */
  private static final String SIGNS_OF_NONE = "*$^";

  private static final Pattern WORD_AND_SIGNS = Pattern.compile("([A-Z_]+)([^A-Z_]*)");

  private SlurmNodeState() {}

  /** Returns true if a node in this state runs jobs, now or when it is needed. */
  public static boolean runsJobs(String state) {
    for (String part : state.toUpperCase(Locale.ROOT).split("\\+", -1)) {
      Matcher word = WORD_AND_SIGNS.matcher(part);
      if (!word.matches()
          || !RUNS_JOBS.contains(word.group(1))
          || word.group(2).chars().anyMatch(sign -> SIGNS_OF_NONE.indexOf(sign) >= 0)) {
        return false;
      }
    }
    return true;
  }
}
