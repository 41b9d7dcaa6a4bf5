package io.github.liquidscheduler.simulator.comparison;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.csv.CSVFormat;

/** The runs of a comparison as CSV: a row for each, times in seconds, empty where there is none. */
public final class ComparedPoliciesCsv {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator("\n").get();

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
    FORMAT.printRecord(text, header.toArray());
    for (ComparedSetting setting : settings) {
      for (ComparedPolicy policy : setting.policies()) {
        for (int draw = 0; draw < policy.runs().size(); draw++) {
          FORMAT.printRecord(text, row(setting, policy, draw));
        }
      }
    }
  }

  private static Object[] row(ComparedSetting setting, ComparedPolicy policy, int draw) {
    RunFigures run = policy.runs().get(draw);
    List<Object> row = new ArrayList<>(setting.names().values());
    row.addAll(List.of(policy.policy(), policy.placer(), draw, run.jobs(), run.finished()));
    for (RunFigure figure : RunFigure.values()) {
      OptionalDouble value = run.value(figure);
      row.add(value.isPresent() ? value.getAsDouble() : "");
    }
    return row.toArray();
  }
}
