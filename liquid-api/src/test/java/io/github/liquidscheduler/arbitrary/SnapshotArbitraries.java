package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Any state of a scheduler, with sections that none may ever have. */
public final class SnapshotArbitraries {

  private SnapshotArbitraries() {}

  /** Returns states of up to three sections. */
  public static Arbitrary<SchedulerSnapshot> snapshots() {
    return Combinators.combine(
            Arbitraries.integers(),
            QuantityArbitraries.instants(),
            Arbitraries.maps(QuantityArbitraries.names(), sections()).ofMaxSize(3))
        .as(SchedulerSnapshot::new)
        .withoutEdgeCases();
  }

  /** Returns sections with values of every kind, three deep at most. */
  public static Arbitrary<SnapshotSection> sections() {
    return sections(2);
  }

  private static Arbitrary<SnapshotSection> sections(int depth) {
    Arbitrary<String> names = QuantityArbitraries.names().filter(name -> !name.startsWith("$"));
    return Arbitraries.maps(names, values(depth)).ofMaxSize(4).map(SnapshotSection::new);
  }

  private static Arbitrary<LearnedState> learnedStates() {
    return Combinators.combine(
            QuantityArbitraries.names(),
            QuantityArbitraries.names().list().ofMaxSize(2),
            Arbitraries.doubles().list().ofMaxSize(2))
        .as(LearnedState::new);
  }

  private static Arbitrary<Object> values(int depth) {
    Arbitrary<Object> leaves =
        Arbitraries.oneOf(
            QuantityArbitraries.names().asGeneric(),
            Arbitraries.longs().asGeneric(),
            Arbitraries.doubles().asGeneric(),
            Arbitraries.of(true, false).asGeneric(),
            JobArbitraries.jobs().asGeneric(),
            JobArbitraries.workloads().asGeneric(),
            DecisionArbitraries.placements().asGeneric(),
            QueueArbitraries.trees().asGeneric(),
            EventArbitraries.reservations().asGeneric(),
            learnedStates().asGeneric());
    return depth == 0
        ? leaves
        : Arbitraries.frequencyOf(
            Tuple.of(6, leaves),
            Tuple.of(2, values(depth - 1).list().ofMaxSize(3).asGeneric()),
            Tuple.of(2, sections(depth - 1).asGeneric()));
  }
}
