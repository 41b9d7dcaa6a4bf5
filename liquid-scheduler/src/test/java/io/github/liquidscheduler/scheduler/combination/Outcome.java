package io.github.liquidscheduler.scheduler.combination;

/** What becomes of two features together. */
sealed interface Outcome {

  /**
   * Both act on one decision.
   *
   * @param stage where
   * @param shown the decision that is in the run with both only
   */
  record Composes(Stage stage, Told shown) implements Outcome {}

  /** The scheduler refuses them together, and says why. */
  record Refused(String message) implements Outcome {}

  /** They are accepted together, but no scenario shows a decision of both. */
  record Missing(String why) implements Outcome {}
}
