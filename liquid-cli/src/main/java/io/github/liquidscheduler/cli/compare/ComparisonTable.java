package io.github.liquidscheduler.cli.compare;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
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
final class ComparisonTable {
  private static final List<RunFigure> FIGURES =
      List.of(
          RunFigure.MEDIAN_JCT,
          RunFigure.P95_JCT,
          RunFigure.P99_JCT,
          RunFigure.AVERAGE_WAIT,
          RunFigure.MAKESPAN,
          RunFigure.ALLOCATION,
          RunFigure.PREEMPTIONS);

  private final List<ComparedPolicy> policies;

  ComparisonTable(List<ComparedPolicy> policies) {
    this.policies = policies;
  }

  void print(PrintWriter out) {
    Table table =
        Table.of(
            "policy | placer | avg JCT | against first | median | p95 | p99 | avg wait | makespan |"
                + " GPU allocation | pre-emptions | unfinished");
    policies.forEach(policy -> table.row(row(policy)));
    table.print(out);
    out.println();
    out.println(notes(policies.getFirst()));
  }

  private List<String> row(ComparedPolicy policy) {
    List<String> row = new ArrayList<>();
    row.add(policy.policy());
    row.add(policy.placer());
    row.add(average(policy));
    row.add(policy.equals(policies.getFirst()) ? "" : difference(policy));
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

  private String difference(ComparedPolicy policy) {
    Optional<MeanInterval> relative = policy.against(policies.getFirst(), RunFigure.AVERAGE_JCT);
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
      return "One run of each: the trace as it is. With --seeds 3 or more there are intervals.";
    }
    return first.hasIntervals()
        ? "Means over %d draws of the trace, the same for all; ± is the 95 %% confidence interval, of a difference that of pairs."
            .formatted(runs)
        : "Means over %d draws of the trace, the same for all. With --seeds 3 or more there are intervals."
            .formatted(runs);
  }
}
