package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays a journal and compares the decisions. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Replays the events of a journal on a scheduler with the recorded settings, and compares its"
          + " decisions with the recorded ones.",
      "",
      "Prints the number of events and decisions and a digest of the decisions. Exits with 1 if a"
          + " decision differs.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid simulate --trace trace.csv --format tiresias --cluster 3x4xP100 \\",
      "      --policy fifo --journal day.jsonl",
      "  liquid replay --journal day.jsonl"
    })
public final class ReplayCommand implements Callable<Integer> {

  @Option(
      names = "--journal",
      required = true,
      paramLabel = "FILE",
      description = "The journal, as JSON Lines.")
  private Path journal = Path.of("");

  @Option(
      names = "--accept-truncated",
      description =
          "Accept a journal whose last line is incomplete, and replay the lines before it.")
  private boolean acceptTruncated;

  @Mixin private final InterferenceOption interference = new InterferenceOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Truncation truncation = acceptTruncated ? Truncation.ACCEPT : Truncation.REFUSE;
    try (EventJournalReader events = EventJournalReader.open(journal, truncation)) {
      JournalReplay replay = JournalReplay.of(events, scheduler(events.header(), interference));
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "%s, %s, digest %s%n",
          Count.of(replay.events(), "event"),
          Count.of(replay.decisions(), "decision"),
          replay.digest());
      out.println(
          replay
              .divergence()
              .map(divergence -> "different at " + divergence.describe())
              .orElse(
                  events.header().recordsDecisions()
                      ? "every decision is as recorded"
                      : "no decisions were recorded to compare with"));
      out.flush();
      return replay.divergence().isPresent() ? 1 : 0;
    }
  }

  /** Returns a scheduler as the header says, as far as it can be made from that. */
  static LiquidScheduler scheduler(JournalHeader header, InterferenceOption interference) {
    LiquidScheduler.Builder builder =
        new RecordedSettings(header.policy(), header.parameters(), header.settings(), interference)
            .builder(header.cluster());
    return header.start().map(builder::restore).orElseGet(builder::build);
  }
}
