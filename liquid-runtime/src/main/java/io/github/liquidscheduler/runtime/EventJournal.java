package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * The journal of events, written before anybody acts on them. Called by one thread at a time. What
 * it throws stops the loop: what is not in the journal must not happen.
 */
public interface EventJournal {

  /** Keeps nothing: after a crash the state is gone. */
  EventJournal NONE = of((event, decisions) -> {}, () -> {});

  /** Appends an event that the scheduler has taken, and what was decided after it. */
  void append(ClusterEvent event, List<Decision> decisions);

  /**
   * Makes what was appended durable. Called once for a burst of events, before any decision about
   * them is handed out.
   */
  void commit();

  /** Returns a journal of two actions, such as the methods of an {@code EventJournalWriter}. */
  static EventJournal of(BiConsumer<ClusterEvent, List<Decision>> append, Runnable commit) {
    Objects.requireNonNull(append, "append");
    Objects.requireNonNull(commit, "commit");
    return new EventJournal() {
      @Override
      public void append(ClusterEvent event, List<Decision> decisions) {
        append.accept(event, decisions);
      }

      @Override
      public void commit() {
        commit.run();
      }
    };
  }
}
