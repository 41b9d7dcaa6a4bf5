package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.json.JournalReplay.Divergence;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Restores a scheduler from its journal, and begins a new journal with a snapshot. */
public final class RestartFromAJournal {

  private RestartFromAJournal() {}

  // @start region="restart"
  /** Returns the scheduler as it was when the last event was journaled. */
  static LiquidScheduler recover(Path file, ClusterTopology cluster) {
    if (!Files.exists(file)) {
      return builder(cluster).build();
    }
    try (EventJournalReader journal = EventJournalReader.open(file, Truncation.ACCEPT)) {
      LiquidScheduler.Builder builder = builder(journal.header().cluster());
      LiquidScheduler scheduler =
          journal.header().start().map(builder::restore).orElseGet(builder::build);
      Optional<Divergence> difference = JournalReplay.of(journal, scheduler).divergence();
      if (difference.isPresent()) {
        throw new IllegalStateException(difference.get().describe());
      }
      return scheduler;
    }
  }

  /** Begins a new journal with the present state. A crash leaves the old journal or the new one. */
  static EventJournalWriter begin(Path file, LiquidScheduler scheduler) throws IOException {
    JournalHeader header =
        JournalHeader.builder(scheduler).recordDecisions(true).start(scheduler.snapshot()).build();
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    EventJournalWriter journal = EventJournalWriter.create(next, header, Flush.EACH_EVENT);
    journal.force();
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    return journal;
  }

  // @end

  private static LiquidScheduler.Builder builder(ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo());
  }

  /** Prints what waits according to a journal. */
  public static void main(String[] arguments) {
    Path file = Path.of(arguments.length > 0 ? arguments[0] : "first.journal");
    System.out.println(recover(file, FirstScheduler.cluster()).waiting());
  }
}
