package io.github.liquidscheduler.lab.conformance;

/** How what came out compares with what had to. */
public enum Verdict {
  /** The same in all that the case insists on. */
  PASSED("passed"),
  /** As good, but not the same. */
  PASSED_LENIENTLY("passed leniently"),
  /** Something else, on purpose. */
  DIFFERS("differs by choice"),
  /** Something else. */
  FAILED("failed"),
  /** The case is not run. */
  SKIPPED("skipped"),
  /** The case does not say what has to come out. */
  NOT_GRADED("not graded");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
