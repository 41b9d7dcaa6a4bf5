package io.github.liquidscheduler.formats.slurm;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Slurm's short form of many names: {@code tux[0-2,07],login} is {@code tux0 tux1 tux2 tux07
 * login}. Numbers keep leading zeros, and a name may have several brackets.
 */
public final class HostList {

  static final int MOST_NAMES = 1_000_000;

  private static final int MOST_DIGITS = 9;

  /** What comes before the last number of a name, that number, and what comes after it. */
  private static final Pattern NUMBERED =
      Pattern.compile("(.*?)(?<![0-9])([0-9]{1," + MOST_DIGITS + "})([^0-9]*)");

  private final List<Token> names = new ArrayList<>();
  private final Token list;

  private HostList(Token list) {
    this.list = list;
  }

  /** Returns the names, each with the place of the part of the list that it comes from. */
  public static List<Token> expand(Token list) {
    HostList expansion = new HostList(list);
    expansion.expandItems();
    return List.copyOf(expansion.names);
  }

  /**
   * Returns the names of a list that a command printed; none of an empty list.
   *
   * @throws InputFormatException if it is no list of names
   */
  public static List<String> names(String source, String list) {
    return list.isEmpty()
        ? List.of()
        : expand(new Token(source, 1, 1, list)).stream().map(Token::text).toList();
  }

  /** Returns the short form of names, in their order: names that differ in their last number. */
  public static String fold(List<String> names) {
    StringJoiner list = new StringJoiner(",");
    for (int first = 0; first < names.size(); ) {
      Matcher name = NUMBERED.matcher(names.get(first));
      int end = first + 1;
      if (name.matches()) {
        StringJoiner ranges = new StringJoiner(",");
        end = fold(names, first, name, ranges);
        list.add(
            end - first == 1
                ? names.get(first)
                : name.group(1) + "[" + ranges + "]" + name.group(3));
      } else {
        list.add(names.get(first));
      }
      first = end;
    }
    return list.toString();
  }

  /** Adds the ranges of the names that are like the first, and returns where they end. */
  private static int fold(List<String> names, int first, Matcher like, StringJoiner ranges) {
    String from = like.group(2);
    String to = from;
    int end = first + 1;
    for (; end < names.size(); end++) {
      Matcher next = NUMBERED.matcher(names.get(end));
      if (!next.matches()
          || !next.group(1).equals(like.group(1))
          || !next.group(3).equals(like.group(3))) {
        break;
      }
      String number = next.group(2);
      if (!number.equals(after(to))) {
        ranges.add(range(from, to));
        from = number;
      }
      to = number;
    }
    ranges.add(range(from, to));
    return end;
  }

  private static String range(String from, String to) {
    return from.equals(to) ? from : from + "-" + to;
  }

  /** Returns the number after {@code number}, with as many leading zeros. */
  private static String after(String number) {
    String digits = Integer.toString(Integer.parseInt(number) + 1);
    return "0".repeat(Math.max(0, number.length() - digits.length())) + digits;
  }

  private void expandItems() {
    int first = 0;
    int depth = 0;
    String text = list.text();
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth < 0 || depth > 1) {
        throw list.part(i, i + 1).error("brackets must come in pairs and not in each other");
      }
      if (c == ',' && depth == 0) {
        expandItem(list.part(first, i));
        first = i + 1;
      }
    }
    if (depth != 0) {
      throw list.part(first, text.length()).error("a bracket must be closed");
    }
  }

  private void expandItem(Token item) {
    if (item.text().isEmpty()) {
      throw list.error("a list of names must have no empty name");
    }
    expandBracket(item, "", 0);
  }

  /** Expands the first bracket from {@code from} on, and for each of its numbers the rest. */
  private void expandBracket(Token item, String prefix, int from) {
    int open = item.text().indexOf('[', from);
    if (open < 0) {
      add(item, prefix + item.text().substring(from));
      return;
    }
    int close = item.text().indexOf(']', open);
    String head = prefix + item.text().substring(from, open);
    int first = open + 1;
    while (first <= close) {
      int comma = item.text().indexOf(',', first);
      int end = comma < 0 || comma > close ? close : comma;
      for (String number : numbers(item.part(first, end))) {
        expandBracket(item, head + number, close + 1);
      }
      first = end + 1;
    }
  }

  private List<String> numbers(Token range) {
    String rule = "a range must be NUMBER or FIRST-LAST, ascending";
    String[] ends = range.text().split("-", -1);
    for (String end : ends) {
      if (ends.length > 2 || !end.matches("[0-9]{1," + MOST_DIGITS + "}")) {
        throw range.error(rule);
      }
    }
    int first = Integer.parseInt(ends[0]);
    int last = Integer.parseInt(ends[ends.length - 1]);
    if (last < first) {
      throw range.error(rule);
    }
    if (last - first >= MOST_NAMES) {
      throw range.error("a list must have at most " + MOST_NAMES + " names");
    }
    List<String> numbers = new ArrayList<>();
    for (int number = first; number <= last; number++) {
      String digits = Integer.toString(number);
      numbers.add("0".repeat(Math.max(0, ends[0].length() - digits.length())) + digits);
    }
    return numbers;
  }

  private void add(Token item, String name) {
    if (names.size() == MOST_NAMES) {
      throw list.error("a list must have at most " + MOST_NAMES + " names");
    }
    names.add(new Token(item.source(), item.line(), item.column(), name));
  }
}
