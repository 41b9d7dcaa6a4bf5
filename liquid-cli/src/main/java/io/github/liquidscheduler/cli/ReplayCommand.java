package io.github.liquidscheduler.cli;

import static java.util.stream.Collectors.toMap;

import io.github.liquidscheduler.json.EventJournalReader;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JournalReplay;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.baseline.BaselinePlacers;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
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

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Truncation truncation = acceptTruncated ? Truncation.ACCEPT : Truncation.REFUSE;
    try (EventJournalReader events = EventJournalReader.open(journal, truncation)) {
      JournalReplay replay = JournalReplay.of(events, scheduler(events.header()));
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "%d events, %d decisions, digest %s%n",
          replay.events(), replay.decisions(), replay.digest());
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
  private static Scheduler scheduler(JournalHeader header) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(header.cluster())
            .policy(Policies.named(header.policy()))
            .placer(placer(header));
    Map<String, String> backoff = parameters(header, "backoff.");
    if (!backoff.isEmpty()) {
      builder.retries(RetryBackoff.from(backoff));
    }
    Map<String, String> preemption = parameters(header, "preemption.");
    if (!preemption.isEmpty()) {
      builder.preemption(PreemptionRules.from(preemption));
    }
    Map<String, String> backfill = parameters(header, "backfill.");
    if (!backfill.isEmpty()) {
      builder.backfill(Backfill.from(backfill));
    }
    Optional.ofNullable(header.parameters().get("startsPerEvent"))
        .map(Integer::valueOf)
        .ifPresent(builder::startsPerEvent);
    Map<String, String> elasticity = parameters(header, "elasticity.");
    if (!elasticity.isEmpty()) {
      builder.elasticity(Elasticity.from(elasticity));
    }
    Map<String, String> batch = parameters(header, "batch.");
    if (!batch.isEmpty()) {
      builder.batch(BatchWindow.from(batch));
    }
    return header.start().map(builder::restore).orElseGet(builder::build);
  }

  /** Returns the placer that the settings name, or the one of the recorded parameters. */
  private static Placer placer(JournalHeader header) {
    long seed = Long.parseLong(header.settings().getOrDefault("seed", "0"));
    String named =
        Optional.ofNullable(header.settings().get("placer"))
            .or(() -> BaselinePlacers.names().stream().filter(isOf(header, seed)).findFirst())
            .orElse("best-fit");
    return BaselinePlacers.named(named, seed);
  }

  private static Predicate<String> isOf(JournalHeader header, long seed) {
    Map<String, String> recorded = parameters(header, "placer.");
    return name -> BaselinePlacers.named(name, seed).parameters().equals(recorded);
  }

  /** Returns the parameters whose names begin alike, by the rest of their names. */
  private static Map<String, String> parameters(JournalHeader header, String prefix) {
    return header.parameters().entrySet().stream()
        .filter(parameter -> parameter.getKey().startsWith(prefix))
        .collect(toMap(each -> each.getKey().substring(prefix.length()), Map.Entry::getValue));
  }
}
