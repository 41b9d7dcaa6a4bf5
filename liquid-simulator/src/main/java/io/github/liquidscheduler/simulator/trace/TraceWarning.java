package io.github.liquidscheduler.simulator.trace;

/** Jobs of a file that its trace does not have for one reason, and the line of the first. */
public record TraceWarning(String reason, int jobs, int firstLine) {

  /**
   * Validates the numbers.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public TraceWarning {
    if (jobs < 1 || firstLine < 1) {
      throw new IllegalArgumentException(
          "a warning must be about 1 job or more from line 1 on, but was about %d from line %d"
              .formatted(jobs, firstLine));
    }
  }

  /** Returns the warning that counts one job more. */
  TraceWarning andOne() {
    return new TraceWarning(reason, jobs + 1, firstLine);
  }

  /** Returns text such as {@code 2 jobs that never started, the first on line 7}. */
  @Override
  public String toString() {
    return "%,d %s that %s, the first on line %d"
        .formatted(jobs, jobs == 1 ? "job" : "jobs", reason, firstLine);
  }
}
