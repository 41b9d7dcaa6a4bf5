package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The result of a simulation as text. */
public final class SummaryText {

  /** The explanation of the figures, for the help. */
  public static final String DEFINITIONS =
      """
      The summary:
        jobs             how many there were, and what became of them
      over the jobs that finished:
        completion time  from submission to end (JCT)
        waiting time     completion time without the time on GPUs
        makespan         from the first submission to the last end
      and over the whole run, from the first submission to the end:
        GPU allocation   GPU time held by jobs, of all GPU time
        fragmentation    while jobs wait: free GPU time on nodes with too few free GPUs for their
                         part of the largest waiting job, of all free GPU time
        pre-emptions     how often the scheduler stopped a running job
        failures         how often a lost node or GPU, or lack of memory, stopped one
        promises         of backfill: jobs that were promised a later start, and those of them that
                         started no later than first promised
        size changes     of elastic jobs: from a number of GPUs to another, and from none; time in
                         which they held GPUs and stood still; GPUs of a running job on average
        decisions digest SHA-256 of all decisions: equal if and only if they are\
      """;

  private static final int MOST_REASONS = 3;

  private SummaryText() {}

  /** Returns the lines of the settings and figures. */
  public static List<String> of(Map<String, String> settings, RunSummary result) {
    List<String> lines = new ArrayList<>();
    settings.forEach((name, value) -> lines.add(DisplayFormat.line(name, value)));
    lines.add("");
    lines.add(
        DisplayFormat.line(
            "jobs",
            "%d: %d finished, %d rejected, %d unfinished"
                .formatted(
                    result.jobs(),
                    result.finished(),
                    result.rejected().size(),
                    result.unfinished().size())));
    result.statistics().ifPresent(statistics -> add(lines, statistics));
    addUsage(lines, result);
    lines.add(DisplayFormat.line("decisions digest", result.decisionsDigest()));
    result.rejected().stream()
        .limit(MOST_REASONS)
        .forEach(job -> lines.add("  rejected " + told(job, job.why())));
    result.unfinished().stream()
        .limit(MOST_REASONS)
        .forEach(job -> lines.add("  unfinished " + told(job, job.why())));
    return lines;
  }

  private static void add(List<String> lines, JctStatistics statistics) {
    lines.add(DisplayFormat.line("completion time", spread(statistics.completion())));
    lines.add(DisplayFormat.line("waiting time", spread(statistics.queueing())));
    lines.add(DisplayFormat.line("makespan", DisplayFormat.time(statistics.makespan())));
  }

  private static void addUsage(List<String> lines, RunSummary result) {
    lines.add(
        DisplayFormat.line("GPU allocation", DisplayFormat.percent(result.usage().utilization())));
    result
        .usage()
        .fragmentation()
        .ifPresent(
            share -> lines.add(DisplayFormat.line("fragmentation", DisplayFormat.percent(share))));
    SimulationResult.Counts counts = result.counts();
    String failures =
        "; failures: %d%s".formatted(counts.failures(), outOfMemory(counts.outOfMemory()));
    lines.add(DisplayFormat.line("pre-emptions", counts.preemptions() + failures));
    counts
        .promises()
        .map(promises -> "%d, %d kept".formatted(promises.made(), promises.kept()))
        .ifPresent(text -> lines.add(DisplayFormat.line("promises", text)));
    counts
        .sizes()
        .map(
            all ->
                Count.of(all.resizes(), "resize")
                    + ", "
                    + Count.of(all.starts(), "start")
                    + times(all))
        .ifPresent(text -> lines.add(DisplayFormat.line("size changes", text)));
    counts
        .sizes()
        .flatMap(SimulationResult.SizeCounts::stragglers)
        .map(slow -> "%d, %d replaced".formatted(slow.slowed(), slow.replaced()))
        .ifPresent(text -> lines.add(DisplayFormat.line("stragglers", text)));
  }

  private static String times(SimulationResult.SizeCounts sizes) {
    return sizes.lostSeconds().isEmpty()
        ? ""
        : ", %s lost, mean size %.2f"
            .formatted(
                DisplayFormat.time(
                    Duration.ofMillis((long) (sizes.lostSeconds().getAsDouble() * 1e3))),
                sizes.meanGpus().orElse(0));
  }

  private static String outOfMemory(long kills) {
    return kills == 0 ? "" : " (%d out of memory)".formatted(kills);
  }

  private static String spread(DurationDistribution times) {
    return "average %s, median %s, p95 %s, p99 %s"
        .formatted(
            DisplayFormat.time(times.average()),
            DisplayFormat.time(times.median()),
            DisplayFormat.time(times.percentile(95)),
            DisplayFormat.time(times.percentile(99)));
  }

  private static String told(JobFate job, String why) {
    return "'%s' of %s: %s".formatted(job.job().id(), Count.of(job.job().gpus(), "GPU"), why);
  }
}
