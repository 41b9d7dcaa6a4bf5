package io.github.liquidscheduler.lab.conformance.peer;

/** Runs the cases of one kind. */
@FunctionalInterface
public interface CaseRunner {

  /**
   * Runs a case.
   *
   * @throws IllegalArgumentException if what the case states is refused
   */
  CaseOutcome run(PeerCase peerCase);
}
