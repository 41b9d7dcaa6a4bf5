package io.github.liquidscheduler.lab.conformance;

import io.github.liquidscheduler.lab.conformance.peer.Facts;

/** Compares what came out of a case with what it expects. */
@FunctionalInterface
interface Grader {

  /** Returns how far they agree. */
  Grade grade(Facts expected, Facts result);
}
