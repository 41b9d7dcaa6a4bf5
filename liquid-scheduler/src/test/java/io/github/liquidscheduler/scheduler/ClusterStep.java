package io.github.liquidscheduler.scheduler;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * A step of a {@link EventSequence} that becomes an event once it is known who runs and waits.
 *
 * @param kind what happens
 * @param pick to whom, among those to whom it can
 * @param seconds how long after the step before
 * @param job which job, if one is submitted or updated
 */
record ClusterStep(Kind kind, int pick, int seconds, JobDraft job) {

  enum Kind {
    SUBMIT,
    UPDATE,
    FINISH,
    FAIL,
    RETRY,
    CANCEL,
    PROGRESS,
    LOSE_NODE,
    DRAIN,
    RETURN,
    LOSE_GPU,
    RETURN_GPU,
    WAIT,
    WAKE_UP,
    PLAN,
    PLAN_AGAIN
  }

  static Arbitrary<ClusterStep> moves(Arbitrary<JobDraft> jobs) {
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
        Tuple.of(1, Kind.CANCEL),
        Tuple.of(3, Kind.PROGRESS),
        Tuple.of(1, Kind.LOSE_NODE),
        Tuple.of(1, Kind.DRAIN),
        Tuple.of(2, Kind.RETURN),
        Tuple.of(1, Kind.LOSE_GPU),
        Tuple.of(1, Kind.RETURN_GPU),
        Tuple.of(1, Kind.WAIT),
        Tuple.of(3, Kind.WAKE_UP),
        Tuple.of(5, Kind.PLAN),
        Tuple.of(1, Kind.PLAN_AGAIN));
  }
}
