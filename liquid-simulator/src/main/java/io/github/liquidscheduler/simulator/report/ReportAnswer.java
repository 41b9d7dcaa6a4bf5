package io.github.liquidscheduler.simulator.report;

import com.google.common.collect.Maps;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.comparison.RunFigure;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A report's verdict on one run, compared with its first run: the answer in one sentence, the
 * figures behind it, its cost, and the most important figures.
 */
record ReportAnswer(String headline, String lead, String price, List<Tile> tiles) {

  private static final String AVERAGE = RunFigure.AVERAGE_JCT.title();

  private static final List<String> TILES =
      List.of(
          "Average JCT", "p95 wait", "p95 JCT", "GPU allocation", "Fragmentation", "Pre-emptions");

  /** A figure, its difference from the first run and that one's figure; both empty there. */
  record Tile(String name, String value, String difference, String baseline) {}

  static ReportAnswer of(ReportRun run, List<ReportRun> runs) {
    ReportRun baseline = runs.get(0);
    boolean isBaseline = run.equals(baseline);
    return new ReportAnswer(
        headline(run, baseline, isBaseline),
        lead(run, baseline, isBaseline),
        price(run),
        tiles(run, baseline, isBaseline));
  }

  private static String headline(ReportRun run, ReportRun baseline, boolean isBaseline) {
    ReportFigure average = byName(run).get(AVERAGE);
    if (average == null) {
      return "Under %s, no job finished".formatted(run.policy());
    }
    ReportFigure before = byName(baseline).get(AVERAGE);
    if (isBaseline || before == null || before.value() == 0) {
      return "Under %s, jobs take %s on average".formatted(run.policy(), average.text());
    }
    if (average.isAboutEqual(before)) {
      return "%s finishes jobs about as soon as %s".formatted(run.policy(), baseline.policy());
    }
    double relative = average.relative(before).mean();
    return "%s finishes jobs %s %s than %s"
        .formatted(
            run.policy(),
            ReportText.wholePercent(Math.abs(relative)),
            relative < 0 ? "sooner" : "later",
            baseline.policy());
  }

  private static String lead(ReportRun run, ReportRun baseline, boolean isBaseline) {
    Map<String, ReportFigure> own = byName(run);
    ReportFigure average = own.get(AVERAGE);
    ReportFigure wait = own.get("p95 wait");
    if (average == null || wait == null) {
      return "There are no completion times to compare.";
    }
    ReportFigure before = byName(baseline).get(AVERAGE);
    String instead = isBaseline || before == null ? "" : " instead of " + before.text();
    return "Average job completion time (JCT) is %s%s. 95\u2009%% of jobs wait less than %s. %s"
        .formatted(average.text(), instead, wait.text(), certainty(run, baseline, isBaseline));
  }

  private static String certainty(ReportRun run, ReportRun baseline, boolean isBaseline) {
    int runs = run.all().size();
    if (runs == 1) {
      return "Each policy ran once, so that there is no confidence interval.";
    }
    if (runs < ComparedPolicy.FEWEST_RUNS) {
      return "Averages are over %d draws of the trace, too few for a confidence interval."
          .formatted(runs);
    }
    ReportFigure average = byName(run).get(AVERAGE);
    ReportFigure before = byName(baseline).get(AVERAGE);
    if (isBaseline || average == null || before == null || before.value() == 0) {
      return "Averages are over %d draws of the trace.".formatted(runs);
    }
    return between(average.relative(before), runs);
  }

  private static String between(MeanInterval relative, int runs) {
    double least = Math.abs(relative.mean()) - relative.halfWidth();
    double most = Math.abs(relative.mean()) + relative.halfWidth();
    return relative.containsZero()
        ? "The difference is smaller than what %d draws of the trace can tell.".formatted(runs)
        : "Over %d draws of the trace they finish %.0f to %.0f\u2009%% %s, with 95\u2009%% confidence."
            .formatted(runs, 100 * least, 100 * most, relative.mean() < 0 ? "sooner" : "later");
  }

  private static String price(ReportRun run) {
    List<String> parts = new ArrayList<>();
    ReportFigure preemptions = byName(run).get(RunFigure.PREEMPTIONS.title());
    String stops = preemptions == null ? "0" : preemptions.text();
    parts.add(stops + (stops.equals("1") ? " pre-emption" : " pre-emptions"));
    parts.add(
        ReportText.count(run.longWaits())
            + (run.longWaits() == 1 ? " job" : " jobs")
            + " waited more than 6 h");
    if (!run.result().unfinished().isEmpty()) {
      parts.add(ReportText.count(run.result().unfinished().size()) + " did not finish");
    }
    if (!run.result().rejected().isEmpty()) {
      parts.add(ReportText.count(run.result().rejected().size()) + " were rejected");
    }
    return String.join("; ", parts) + ".";
  }

  private static List<Tile> tiles(ReportRun run, ReportRun baseline, boolean isBaseline) {
    Map<String, ReportFigure> own = byName(run);
    Map<String, ReportFigure> others = byName(baseline);
    List<Tile> tiles = new ArrayList<>();
    for (String name : TILES) {
      ReportFigure figure = own.get(name);
      ReportFigure other = others.get(name);
      if (figure == null) {
        tiles.add(new Tile(name, "–", "", ""));
      } else if (isBaseline || other == null) {
        tiles.add(new Tile(name, figure.text(), "", ""));
      } else {
        String compared = figure.comparedWith(other);
        tiles.add(new Tile(name, figure.text(), compared, baseline.policy() + " " + other.text()));
      }
    }
    return tiles;
  }

  private static Map<String, ReportFigure> byName(ReportRun run) {
    return Maps.uniqueIndex(run.figures(), ReportFigure::name);
  }
}
