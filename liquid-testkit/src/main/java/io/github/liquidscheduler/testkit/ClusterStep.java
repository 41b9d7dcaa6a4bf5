package io.github.liquidscheduler.testkit;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Something that happens, some seconds after the step before, which becomes an event once it is
 * known who runs and waits.
 */
public record ClusterStep(Kind kind, int pick, int seconds, JobDraft job) {

  /** What can happen. */
  public enum Kind {
    /** A job is submitted. */
    SUBMIT,
    /** A waiting job asks for something else. */
    UPDATE,
    /** A running job finishes. */
    FINISH,
    /** A running job fails for good. */
    FAIL,
    /** A running job fails and waits again. */
    RETRY,
    /** A pre-empted job stops before the end of its grace period. */
    STOP,
    /** A waiting or running job is cancelled. */
    CANCEL,
    /** A running job reports how far it has come. */
    PROGRESS,
    /** A job that is being resized reports how far that has come. */
    RESIZE,
    /** A node is lost. */
    LOSE_NODE,
    /** A node is drained. */
    DRAIN,
    /** A lost or draining node returns. */
    RETURN,
    /** A GPU is lost. */
    LOSE_GPU,
    /** A lost GPU returns. */
    RETURN_GPU,
    /** A node is added. */
    ADD_NODE,
    /** A node that runs nothing is retired. */
    RETIRE_NODE,
    /** Nothing happens but time passes. */
    WAIT,
    /** The time comes at which the scheduler wants to decide again. */
    WAKE_UP,
    /** The last plan that was asked for is answered. */
    PLAN,
    /** A plan arrives once more. */
    PLAN_AGAIN
  }

  /** Returns steps of every kind, most of them submissions, with jobs of your own. */
  public static Arbitrary<ClusterStep> any(Arbitrary<JobDraft> jobs) {
    return Combinators.combine(
            kinds(),
            Arbitraries.integers().between(0, 1000),
            Arbitraries.of(0, 0, 1, 7, 30, 100),
            jobs)
        .as(ClusterStep::new);
  }

  private static Arbitrary<Kind> kinds() {
    return Arbitraries.frequency(
        Tuple.of(14, Kind.SUBMIT),
        Tuple.of(2, Kind.UPDATE),
        Tuple.of(3, Kind.FINISH),
        Tuple.of(1, Kind.FAIL),
        Tuple.of(1, Kind.RETRY),
        Tuple.of(2, Kind.STOP),
        Tuple.of(1, Kind.CANCEL),
        Tuple.of(3, Kind.PROGRESS),
        Tuple.of(4, Kind.RESIZE),
        Tuple.of(1, Kind.LOSE_NODE),
        Tuple.of(1, Kind.DRAIN),
        Tuple.of(2, Kind.RETURN),
        Tuple.of(1, Kind.LOSE_GPU),
        Tuple.of(1, Kind.RETURN_GPU),
        Tuple.of(1, Kind.ADD_NODE),
        Tuple.of(1, Kind.RETIRE_NODE),
        Tuple.of(1, Kind.WAIT),
        Tuple.of(3, Kind.WAKE_UP),
        Tuple.of(5, Kind.PLAN),
        Tuple.of(1, Kind.PLAN_AGAIN));
  }
}
