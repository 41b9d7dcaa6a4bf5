package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the journal of a simulation if there is one, and shows progress on a terminal. */
final class RunWatcher implements SimulationListener, AutoCloseable {
  private final @Nullable EventJournalWriter journal;
  private final TerminalBar bar = TerminalBar.of("Simulating", " jobs");

  RunWatcher(@Nullable EventJournalWriter journal) {
    this.journal = journal;
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (journal != null) {
      journal.append(event, decisions);
    }
  }

  @Override
  public void advanced(int ended, int jobs) {
    bar.progress(ended, jobs);
  }

  @Override
  public void close() {
    bar.close();
    if (journal != null) {
      journal.close();
    }
  }
}
