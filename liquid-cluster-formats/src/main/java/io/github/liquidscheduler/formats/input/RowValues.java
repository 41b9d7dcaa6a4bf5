package io.github.liquidscheduler.formats.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The trimmed values of one line, which become texts of their own on request only. */
final class RowValues {

  private static final int PLAIN_DIGITS = 18;

  private final String line;
  // Where each value starts and ends in the line, one after the other.
  private final int[] bounds;
  private final int size;

  private RowValues(String line, int[] bounds, int size) {
    this.line = line;
    this.bounds = bounds;
    this.size = size;
  }

  /** Returns the parts of a line; {@code expected} is how many there are in most. */
  static RowValues split(String line, String delimiter, int expected) {
    int[] bounds = new int[2 * expected];
    int size = 0;
    int start = 0;
    for (int end = line.indexOf(delimiter); end >= 0; end = line.indexOf(delimiter, start)) {
      bounds = with(bounds, size++, line, start, end);
      start = end + delimiter.length();
    }
    bounds = with(bounds, size++, line, start, line.length());
    return new RowValues(line, bounds, size);
  }

  /** Returns these values. */
  static RowValues of(List<String> values) {
    String line = String.join("", values);
    int[] bounds = new int[2 * values.size()];
    int start = 0;
    for (int i = 0; i < values.size(); i++) {
      int end = start + values.get(i).length();
      bounds = with(bounds, i, line, start, end);
      start = end;
    }
    return new RowValues(line, bounds, values.size());
  }

  private static int[] with(int[] bounds, int cell, String line, int from, int to) {
    int start = from;
    int end = to;
    while (start < end && Character.isWhitespace(line.charAt(start))) {
      start++;
    }
    while (start < end && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    int[] all = 2 * cell < bounds.length ? bounds : Arrays.copyOf(bounds, 4 * (cell + 1));
    all[2 * cell] = start;
    all[2 * cell + 1] = end;
    return all;
  }

  /** Returns the number of values. */
  int size() {
    return size;
  }

  boolean isEmpty(int cell) {
    return bounds[2 * cell] == bounds[2 * cell + 1];
  }

  String text(int cell) {
    return line.substring(bounds[2 * cell], bounds[2 * cell + 1]);
  }

  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int cell = 0; cell < size; cell++) {
      texts.add(text(cell));
    }
    return texts;
  }

  /** Returns a plain number cheaply; -1 if it is not one. */
  long plainDigits(int cell) {
    int start = bounds[2 * cell];
    int end = bounds[2 * cell + 1];
    if (start == end || end - start > PLAIN_DIGITS) {
      return -1;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      int digit = line.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }
}
