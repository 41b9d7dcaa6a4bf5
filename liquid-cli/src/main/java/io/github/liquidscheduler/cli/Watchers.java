package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The listeners of a simulation: a journal, and a progress bar on a terminal. */
final class Watchers implements AutoCloseable {

  private final List<SimulationListener> all = new ArrayList<>();
  private final @Nullable EventJournalWriter journal;
  private final TerminalBar bar = TerminalBar.of("Simulating", " jobs");

  private Watchers(@Nullable EventJournalWriter journal) {
    this.journal = journal;
    if (journal != null) {
      all.add(recording(journal));
    }
    all.add(showing(bar));
  }

  /** Returns listeners that write the journal, if there is one, and show progress. */
  static Watchers of(@Nullable EventJournalWriter journal) {
    return new Watchers(journal);
  }

  List<SimulationListener> all() {
    return all;
  }

  @Override
  public void close() {
    bar.close();
    if (journal != null) {
      journal.close();
    }
  }

  private static SimulationListener recording(EventJournalWriter journal) {
    return new SimulationListener() {
      @Override
      public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
        journal.append(event, decisions);
      }
    };
  }

  private static SimulationListener showing(TerminalBar bar) {
    return new SimulationListener() {
      @Override
      public void advanced(int ended, int jobs) {
        bar.progress(ended, jobs);
      }
    };
  }
}
