package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** How far a job has come, as its manager says. */
public sealed interface ObservedState {

  /**
   * It is not to be started yet, whatever is free: its user holds it, or it depends on something
   * that the manager knows of.
   *
   * @param why the reason, for people
   */
  record NotYet(String why) implements ObservedState {
    /** Checks that nothing is null. */
    public NotYet {
      Objects.requireNonNull(why, "why");
    }
  }

  /** It waits until the scheduler starts it. */
  record Held() implements ObservedState {}

  /**
   * The manager may start it, and has not: it was pinned by a {@link Command.Start}, or released by
   * somebody else.
   *
   * @param pinned the nodes that it is bound to, in ascending order; empty if it may start anywhere
   */
  record Released(List<NodeId> pinned) implements ObservedState {
    /** Copies the nodes. */
    public Released {
      pinned = pinned.stream().distinct().sorted().toList();
    }
  }

  /**
   * It has its nodes, and its processes run or are being started.
   *
   * @param since when the manager says it began
   */
  record Running(Instant since) implements ObservedState {
    /** Checks that nothing is null. */
    public Running {
      Objects.requireNonNull(since, "since");
    }
  }

  /** Its processes are ending, or what follows them is: it holds its nodes. */
  record Ending() implements ObservedState {}

  /** It is over and holds nothing. */
  record Ended(Outcome outcome) implements ObservedState {
    /** Checks that nothing is null. */
    public Ended {
      Objects.requireNonNull(outcome, "outcome");
    }
  }

  /** What became of a job. */
  enum Outcome {
    /** It did its work. */
    FINISHED,
    /** It ended with an error, or by a limit of time. */
    FAILED,
    /** It needed more memory than it had. */
    OUT_OF_MEMORY,
    /** Somebody took it back. */
    CANCELLED
  }
}
