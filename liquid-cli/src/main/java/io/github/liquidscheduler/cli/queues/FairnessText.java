package io.github.liquidscheduler.cli.queues;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.fairness.FinishTimeFairness;
import io.github.liquidscheduler.simulator.fairness.QueueUse;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The fairness to queues and jobs, as text. */
public final class FairnessText {

  /** The explanation of the figures, for the help. */
  public static final String DEFINITIONS =
      """
      With --queues:
        held of due      GPU time that a queue held, of that due to it while it wanted any
        Jain's index     of these: 1 if all queues have the same, 1/n if one has all
        share error      GPU time due to queues that they did not hold, of all that was due
        finish-time      completion time over that on an equal part of the cluster; jobs above 1
        fairness         did worse than there\
      """;

  private FairnessText() {}

  /** Returns the lines. */
  public static List<String> of(FairnessReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(DisplayFormat.line("Jain's index", figure(report.jain())));
    lines.add(DisplayFormat.line("share error", DisplayFormat.percent(report.shareError())));
    report
        .finishTimes()
        .ifPresent(times -> lines.add(DisplayFormat.line("finish-time fair.", finishTimes(times))));
    Table table = Table.of("queue | finished | waits on average | waits at p99 | held of due");
    report.queues().forEach(queue -> table.row(row(queue)));
    lines.add("");
    lines.addAll(table.lines());
    return lines;
  }

  private static String finishTimes(FinishTimeFairness times) {
    return "average %s, worst %s, %s of the jobs above 1"
        .formatted(
            figure(times.average()),
            figure(times.worst()),
            DisplayFormat.percent(times.aboveOne()));
  }

  private static List<String> row(QueueUse queue) {
    Optional<DurationDistribution> waits = queue.times().map(JctStatistics::queueing);
    return List.of(
        queue.queue().value(),
        waits.map(times -> Integer.toString(times.count())).orElse("0"),
        waits.map(times -> DisplayFormat.time(times.average())).orElse(""),
        waits.map(times -> DisplayFormat.time(times.percentile(99))).orElse(""),
        queue.dueGpuSeconds() > 0 ? DisplayFormat.percent(queue.heldOfDue()) : "");
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
