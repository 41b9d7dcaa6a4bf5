package io.github.liquidscheduler.simulator.comparison;

import io.github.liquidscheduler.formats.output.CsvWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The runs of a comparison as CSV: a row for each, times in seconds, empty where there is none. */
public final class ComparedPoliciesCsv {
  private ComparedPoliciesCsv() {}

  /**
   * Appends the header and the rows, setting by setting, policy by policy and draw by draw. What
   * tells the settings apart comes first in each row; all must have the same names.
   */
  public static void write(List<ComparedSetting> settings, Appendable text) throws IOException {
    List<Object> header = new ArrayList<>();
    settings.stream().findFirst().ifPresent(first -> header.addAll(first.names().keySet()));
    header.addAll(List.of("policy", "placer", "draw", "jobs", "finished"));
    for (RunFigure figure : RunFigure.values()) {
      header.add(figure.key());
    }
    CsvWriter rows = new CsvWriter(text);
    rows.row(header);
    for (ComparedSetting setting : settings) {
      for (ComparedPolicy policy : setting.policies()) {
        for (int draw = 0; draw < policy.runs().size(); draw++) {
          rows.row(row(setting, policy, draw));
        }
      }
    }
  }

  private static List<Object> row(ComparedSetting setting, ComparedPolicy policy, int draw) {
    RunFigures run = policy.runs().get(draw);
    List<Object> row = new ArrayList<>(setting.names().values());
    row.addAll(List.of(policy.policy(), policy.placer(), draw, run.jobs(), run.finished()));
    for (RunFigure figure : RunFigure.values()) {
      OptionalDouble value = run.value(figure);
      row.add(value.isPresent() ? value.getAsDouble() : "");
    }
    return row;
  }
}
