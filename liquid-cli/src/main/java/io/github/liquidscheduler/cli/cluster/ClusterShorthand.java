package io.github.liquidscheduler.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster in one line: groups of equal nodes, separated by commas. {@code 64x8xV100} is 64 nodes
 * of 8 V100, {@code 8xV100} is 8 nodes of one V100, and {@code 4x8xA100-80GB,24xK80} is both kinds
 * in one cluster. A model starts with a letter and goes on with letters, digits, {@code -}, {@code
 * _} and {@code .}; the same model may come in several groups.
 *
 * @param groups the groups in the order of the text; at least one
 */
record ClusterShorthand(List<Group> groups) {

  /** The most nodes a group may have. */
  static final int MOST_NODES = 1_000_000;

  /** The most GPUs a node may have. */
  static final int MOST_GPUS_PER_NODE = 1_024;

  private static final Pattern GROUP =
      Pattern.compile("(?<nodes>[0-9]+)x((?<gpus>[0-9]+)x)?(?<model>[A-Za-z][A-Za-z0-9._-]*)");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  ClusterShorthand {
    groups = List.copyOf(groups);
  }

  /**
   * Returns the cluster that {@code text} describes.
   *
   * @throws IllegalArgumentException if {@code text} is malformed; the message names the place
   */
  static ClusterShorthand parse(String text) {
    List<Group> groups = new ArrayList<>();
    int start = 0;
    while (start <= text.length()) {
      int comma = text.indexOf(',', start);
      int end = comma < 0 ? text.length() : comma;
      groups.add(group(text, start, end));
      start = end + 1;
    }
    return new ClusterShorthand(groups);
  }

  private static Group group(String text, int start, int end) {
    Matcher matcher = GROUP.matcher(text).region(start, end);
    if (!matcher.matches()) {
      throw error(
          text,
          start,
          "a group must be NODESxGPUSxMODEL or NODESxMODEL, such as 64x8xV100",
          text.substring(start, end));
    }
    String gpus = matcher.group("gpus");
    return new Group(
        number(text, matcher.start("nodes"), matcher.group("nodes"), "nodes", MOST_NODES),
        gpus == null
            ? 1
            : number(text, matcher.start("gpus"), gpus, "GPUs per node", MOST_GPUS_PER_NODE),
        matcher.group("model"));
  }

  private static int number(String text, int start, String digits, String what, int most) {
    int number = NUMBER.matcher(digits).matches() ? Integer.parseInt(digits) : Integer.MAX_VALUE;
    if (number < 1 || number > most) {
      throw error(text, start, what + " must be from 1 to " + most, digits);
    }
    return number;
  }

  private static IllegalArgumentException error(String text, int start, String rule, String value) {
    return new IllegalArgumentException(
        "cluster '%s', character %d: %s, but was '%s'"
            .formatted(text, start + 1, rule, value)
            .replaceAll("\\p{Cntrl}", "\uFFFD"));
  }

  /** Equal nodes, whose GPUs are all of one model. */
  record Group(int nodes, int gpusPerNode, String model) {}
}
