package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those who watch a simulation of the command line: a journal, and people at a terminal. */
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

  /** Returns watchers that keep the journal, if there is one, and show progress on a terminal. */
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
        bar.stand(ended, jobs);
      }
    };
  }
}
