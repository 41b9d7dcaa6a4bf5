package io.github.liquidscheduler.cli.comparison;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.comparison.ComparedSetting;
import io.github.liquidscheduler.simulator.comparison.RunFigure;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A comparison as a table for people. */
public final class ComparisonTable {
  private static final List<RunFigure> FIGURES =
      List.of(
          RunFigure.MEDIAN_JCT,
          RunFigure.P95_JCT,
          RunFigure.P99_JCT,
          RunFigure.AVERAGE_WAIT,
          RunFigure.MAKESPAN,
          RunFigure.ALLOCATION,
          RunFigure.PREEMPTIONS);

  private static final String HEADER =
      "policy | placer | avg JCT | against first | median | p95 | p99 | avg wait | makespan |"
          + " GPU allocation | pre-emptions | unfinished";

  private final List<ComparedSetting> settings;
  private final List<String> shown;

  /** Makes a table of settings with equal names, of which {@code shown} have a column. */
  public ComparisonTable(List<ComparedSetting> settings, List<String> shown) {
    this.settings = settings;
    this.shown = shown;
  }

  /** Prints the table and what its figures are. */
  public void print(PrintWriter out) {
    List<String> header = new ArrayList<>(shown);
    header.addAll(List.of(HEADER.split(" \\| ", -1)));
    Table table = new Table(header);
    settings.forEach(setting -> setting.policies().forEach(each -> table.row(row(setting, each))));
    table.print(out);
    out.println();
    out.println(notes(settings.getFirst().policies().getFirst()));
  }

  private List<String> row(ComparedSetting setting, ComparedPolicy policy) {
    ComparedPolicy first = setting.policies().getFirst();
    List<String> row = new ArrayList<>();
    shown.forEach(name -> row.add(setting.names().getOrDefault(name, "")));
    row.add(policy.policy());
    row.add(policy.placer());
    row.add(average(policy));
    row.add(policy.equals(first) ? "" : difference(policy, first));
    FIGURES.forEach(
        figure -> row.add(policy.mean(figure).map(mean -> text(figure, mean.mean())).orElse("-")));
    row.add(Integer.toString(unfinished(policy)));
    return row;
  }

  private static String average(ComparedPolicy policy) {
    Optional<MeanInterval> mean = policy.mean(RunFigure.AVERAGE_JCT);
    if (mean.isEmpty()) {
      return "-";
    }
    String text = text(RunFigure.AVERAGE_JCT, mean.get().mean());
    return policy.hasIntervals()
        ? text + " ± " + text(RunFigure.AVERAGE_JCT, mean.get().halfWidth())
        : text;
  }

  private static String difference(ComparedPolicy policy, ComparedPolicy first) {
    Optional<MeanInterval> relative = policy.against(first, RunFigure.AVERAGE_JCT);
    if (relative.isEmpty()) {
      return "-";
    }
    String text = String.format(Locale.ROOT, "%+.1f", 100 * relative.get().mean());
    return policy.hasIntervals()
        ? text + String.format(Locale.ROOT, " ± %.1f %%", 100 * relative.get().halfWidth())
        : text + " %";
  }

  private static String text(RunFigure figure, double value) {
    return switch (figure.unit()) {
      case TIME -> DisplayFormat.time(Duration.ofMillis(Math.round(1000 * value)));
      case FRACTION -> DisplayFormat.percent(value);
      case COUNT -> Long.toString(Math.round(value));
    };
  }

  private static int unfinished(ComparedPolicy policy) {
    return policy.runs().stream().mapToInt(RunFigures::unfinished).sum();
  }

  private static String notes(ComparedPolicy first) {
    int runs = first.runs().size();
    if (runs == 1) {
      return "One run of each: the trace as it is. With three seeds or more there are intervals.";
    }
    return first.hasIntervals()
        ? "Means over %d draws of the trace, the same for all; ± is the 95 %% confidence interval, of a difference that of pairs."
            .formatted(runs)
        : "Means over %d draws of the trace, the same for all. With three seeds or more there are intervals."
            .formatted(runs);
  }
}
