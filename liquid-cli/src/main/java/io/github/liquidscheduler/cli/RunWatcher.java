package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.TerminalBar;
import io.github.liquidscheduler.cli.output.UnwritableException;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the journal of a simulation if there is one, and shows progress on a terminal. */
final class RunWatcher implements SimulationListener, AutoCloseable {
  private final @Nullable EventJournalWriter journal;
  private final String name;
  private final TerminalBar bar = TerminalBar.of("Simulating", " jobs");

  private RunWatcher(@Nullable EventJournalWriter journal, String name) {
    this.journal = journal;
    this.name = name;
  }

  static RunWatcher withoutJournal() {
    return new RunWatcher(null, "");
  }

  /** Returns a watcher that writes a journal, which must not be there yet. */
  static RunWatcher writing(OutputFile journal, JournalHeader header) {
    return new RunWatcher(
        EventJournalWriter.create(journal.path(), header, EventJournalWriter.Flush.ON_CLOSE),
        "'" + journal + "'");
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (journal != null) {
      write(() -> journal.append(event, decisions));
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
      write(journal::close);
    }
  }

  private void write(Runnable writing) {
    try {
      writing.run();
    } catch (UncheckedIOException e) {
      throw new UnwritableException(name, Objects.requireNonNull(e.getCause()));
    }
  }
}
