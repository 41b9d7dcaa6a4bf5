package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Those who watch a simulation of the command line: a journal, and people at a terminal. */
final class Watchers implements AutoCloseable {

  /** Set by the launcher if the error stream is a terminal. */
  private static final String TERMINAL = "liquid.terminal";

  private final List<SimulationListener> all = new ArrayList<>();
  private final @Nullable EventJournalWriter journal;
  private final @Nullable ProgressBar bar;

  private Watchers(@Nullable EventJournalWriter journal, @Nullable ProgressBar bar) {
    this.journal = journal;
    this.bar = bar;
    if (journal != null) {
      all.add(recording(journal));
    }
    if (bar != null) {
      all.add(showing(bar));
    }
  }

  /** Returns watchers that keep the journal, if there is one, and show progress on a terminal. */
  static Watchers of(@Nullable EventJournalWriter journal) {
    return new Watchers(journal, Boolean.getBoolean(TERMINAL) ? newBar() : null);
  }

  List<SimulationListener> all() {
    return all;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
    if (journal != null) {
      journal.close();
    }
  }

  private static ProgressBar newBar() {
    return new ProgressBarBuilder()
        .setTaskName("Simulating")
        .setUnit(" jobs", 1)
        .clearDisplayOnFinish()
        .build();
  }

  private static SimulationListener recording(EventJournalWriter journal) {
    return new SimulationListener() {
      @Override
      public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
        journal.append(event, decisions);
      }
    };
  }

  private static SimulationListener showing(ProgressBar bar) {
    return new SimulationListener() {
      @Override
      public void advanced(int ended, int jobs) {
        bar.maxHint(jobs);
        bar.stepTo(ended);
      }
    };
  }
}
