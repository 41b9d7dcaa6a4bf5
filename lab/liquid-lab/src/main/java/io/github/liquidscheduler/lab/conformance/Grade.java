package io.github.liquidscheduler.lab.conformance;

/**
 * How far a result agrees with what a case expects.
 *
 * @param strict whether all is as expected
 * @param lenient whether it is as good
 */
record Grade(boolean strict, boolean lenient) {

  /** Returns the grade where nothing is as good without being the same. */
  static Grade of(boolean same) {
    return new Grade(same, same);
  }
}
