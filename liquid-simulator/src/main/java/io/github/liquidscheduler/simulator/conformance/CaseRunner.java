package io.github.liquidscheduler.simulator.conformance;

/** Runs the cases of one kind. */
@FunctionalInterface
interface CaseRunner {

  /**
   * Runs a case.
   *
   * @throws IllegalArgumentException if what the case states is refused
   */
  CaseOutcome run(PeerCase peerCase);
}
