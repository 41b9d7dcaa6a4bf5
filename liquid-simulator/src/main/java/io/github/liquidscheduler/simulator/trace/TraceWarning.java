package io.github.liquidscheduler.simulator.trace;

/**
 * What of its file a trace does not have.
 *
 * @param what what is left out: {@code job}, or a part of one such as {@code attempt}
 * @param reason what all of these have in common, such as {@code never started}
 * @param count how many there are, at least 1
 * @param firstLine the line of the first, from 1
 */
public record TraceWarning(String what, String reason, int count, int firstLine) {

  /**
   * Validates the numbers.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public TraceWarning {
    if (count < 1 || firstLine < 1) {
      throw new IllegalArgumentException(
          "a warning must be about 1 %s or more from line 1 on, but was about %d from line %d"
              .formatted(what, count, firstLine));
    }
  }

  /** Makes a warning about whole jobs. */
  public TraceWarning(String reason, int jobs, int firstLine) {
    this("job", reason, jobs, firstLine);
  }

  /** Returns the warning that counts one more. */
  TraceWarning andOne() {
    return new TraceWarning(what, reason, count + 1, firstLine);
  }

  /** Returns text such as {@code 2 jobs that never started, the first on line 7}. */
  @Override
  public String toString() {
    return "%,d %s that %s, the first on line %d"
        .formatted(count, count == 1 ? what : what + "s", reason, firstLine);
  }
}
