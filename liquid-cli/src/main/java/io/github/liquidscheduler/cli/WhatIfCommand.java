package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.output.PlacementText;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Predicts the decisions after some events in a saved state. */
@Command(
    name = "whatif",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Says what would be decided if something happened, and when waiting jobs would start then:"
          + " from the state of a snapshot, or after the last event of a journal. Running jobs end"
          + " when they are expected to.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid whatif --journal day.jsonl",
      "  liquid whatif --journal day.jsonl --events lost-node.jsonl --ahead 500",
      "",
      "An event a line, such as",
      "  {\"type\": \"nodeLost\", \"at\": \"2026-05-04T12:00:00Z\", \"node\": \"node-3\"}",
      "docs/formats.md describes all events."
    })
public final class WhatIfCommand implements Callable<Integer> {

  private static final String NEVER = "-";

  @Mixin private final SavedScheduler saved = new SavedScheduler();

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description = "What happens, as JSON Lines (default: nothing, a look ahead).")
  private @Nullable Path events;

  @Option(
      names = "--ahead",
      paramLabel = "ENDS",
      defaultValue = "1000",
      description =
          "How many expected ends of jobs to look ahead, at least 0 (default:"
              + " ${DEFAULT-VALUE}).")
  private int ahead;

  @Option(names = "--decisions", description = "Print each decision with its time.")
  private boolean decisions;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    OptionRules.refuseIf(spec, ahead < 0, "--ahead must not be negative, but was " + ahead);
    LiquidScheduler scheduler = saved.restore();
    Forecast before = scheduler.whatIf(List.of(), ahead);
    Forecast after = events == null ? before : scheduler.whatIf(read(events), ahead);
    PrintWriter out = spec.commandLine().getOut();
    if (decisions) {
      printDecisions(after, out);
    }
    printStarts(scheduler, before, after, out);
    if (after.isCutShort()) {
      out.printf("%nMore is expected to happen than --ahead %d.%n", ahead);
    }
    out.flush();
    return 0;
  }

  private static List<ClusterEvent> read(Path file) {
    try {
      List<ClusterEvent> read = new ArrayList<>();
      List<String> lines = Files.readAllLines(file);
      for (int line = 0; line < lines.size(); line++) {
        if (!lines.get(line).isBlank()) {
          read.add(JsonCodecs.EVENT.read(file + ":" + (line + 1), lines.get(line)));
        }
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void printDecisions(Forecast forecast, PrintWriter out) {
    Table table = Table.of("at | decision").endingInText();
    for (Forecast.Step step : forecast.steps()) {
      for (Decision decision : step.decisions()) {
        table.row(List.of(step.event().at().toString(), text(decision)));
      }
    }
    table.print(out);
    out.println();
  }

  private static String text(Decision decision) {
    return switch (decision) {
      case Decision.Start start ->
          "start " + start.job() + " on " + PlacementText.of(start.placement());
      case Decision.Preempt preempt -> "preempt " + preempt.job() + ": " + preempt.why().describe();
      case Decision.Reject reject -> "reject " + reject.job() + ": " + reject.why().describe();
      case Decision.Migrate migrate ->
          "migrate " + migrate.job() + " to " + PlacementText.of(migrate.placement());
      case Decision.Resize resize ->
          "resize " + resize.job() + " to " + PlacementText.of(resize.placement());
      case Decision.Profile profile -> "profile " + profile.job();
      case Decision.Prefetch prefetch ->
          "prefetch " + prefetch.dataset().name() + " to " + prefetch.node();
      case Decision.CancelPrefetch cancel ->
          "cancel prefetch of " + cancel.dataset() + " to " + cancel.node();
      case Decision.RequestPlan request -> "request plan " + request.request().number();
    };
  }

  private void printStarts(
      LiquidScheduler scheduler, Forecast before, Forecast after, PrintWriter out) {
    Map<JobId, JobSpec> jobs = concerned(scheduler, after);
    if (jobs.isEmpty()) {
      out.println("no job waits");
      return;
    }
    Table table =
        Table.of(events == null ? "job | GPUs | starts" : "job | GPUs | starts | starts then");
    jobs.forEach(
        (id, job) -> {
          List<String> row = new ArrayList<>();
          row.add(id.value());
          row.add(Integer.toString(job.gpus()));
          row.add(isRunning(scheduler, id) ? "runs" : text(before.firstStart(id)));
          if (events != null) {
            row.add(text(after.firstStart(id)));
          }
          table.row(row);
        });
    table.print(out);
  }

  private static boolean isRunning(LiquidScheduler scheduler, JobId job) {
    return scheduler.view().placement(job).isPresent();
  }

  /** Returns the jobs that wait, that come, and that would be stopped. */
  private static Map<JobId, JobSpec> concerned(LiquidScheduler scheduler, Forecast after) {
    Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
    scheduler.waiting().forEach(job -> jobs.put(job, scheduler.job(job).orElseThrow()));
    for (Forecast.Step step : after.steps()) {
      if (step.event() instanceof ClusterEvent.JobSubmitted submitted) {
        jobs.put(submitted.spec().id(), submitted.spec());
      }
      for (Decision decision : step.decisions()) {
        if (decision instanceof Decision.Preempt preempt) {
          scheduler.job(preempt.job()).ifPresent(job -> jobs.put(preempt.job(), job));
        }
      }
    }
    return jobs;
  }

  private static String text(Optional<Instant> start) {
    return start.map(Instant::toString).orElse(NEVER);
  }
}
