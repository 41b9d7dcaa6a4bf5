package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a daemon has written down, read while it is away. */
record DaemonJournal(Path folder, SchedulerMaker maker) {

  /** Returns the scheduler from which the next daemon goes on. */
  Scheduler recovered() {
    try (JournalDirectory journals = JournalDirectory.lock(folder)) {
      return journals.recover(this::made).orElseThrow().scheduler();
    }
  }

  /**
   * Checks that each segment replays to the decisions recorded in it, and to the state with which
   * the next daemon went on; and that it does so again.
   */
  void requireReplays() throws IOException {
    String last = replay();
    assertThat(replay()).isEqualTo(last).isEqualTo(text(recovered()));
  }

  private String replay() throws IOException {
    String state = "";
    for (Path segment : segments()) {
      try (EventJournalReader journal =
          EventJournalReader.open(segment, EventJournalReader.Truncation.ACCEPT)) {
        Scheduler scheduler = made(journal.header());
        if (!state.isEmpty()) {
          assertThat(text(scheduler)).as("begin of %s", segment).isEqualTo(state);
        }
        JournalReplay replay = JournalReplay.of(journal, scheduler);
        assertThat(replay.divergence()).as("%s", segment).isEmpty();
        state = text(scheduler);
      }
    }
    return state;
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("journal-[0-9]+[.]jsonl"))
          .sorted()
          .toList();
    }
  }

  private Scheduler made(JournalHeader header) {
    return maker.make(header.cluster(), header.start());
  }

  private static String text(Scheduler scheduler) {
    return JsonCodecs.SNAPSHOT.write(scheduler.snapshot());
  }
}
