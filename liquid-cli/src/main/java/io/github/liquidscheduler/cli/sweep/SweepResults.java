package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.comparison.ComparisonTable;
import io.github.liquidscheduler.cli.comparison.PolicyChoice;
import io.github.liquidscheduler.cli.output.CommandFailedException;
import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.simulator.comparison.ComparedPoliciesCsv;
import io.github.liquidscheduler.simulator.comparison.ComparedPoliciesJson;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.comparison.ComparedSetting;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a sweep, by setting. A policy with a missing draw is left out, and so is a setting
 * whose first policy is left out, since it has no baseline.
 */
final class SweepResults {
  private final SweepFolder folder;
  private final SettingNames names;
  private final List<SweepSetting> settings = new ArrayList<>();
  private final List<ComparedSetting> compared = new ArrayList<>();
  private final List<SweepCell> missing = new ArrayList<>();

  private SweepResults(SweepFolder folder) {
    this.folder = folder;
    this.names = new SettingNames(folder.sweep());
  }

  /** Reads what the cells left. */
  static SweepResults of(SweepFolder folder) {
    SweepResults results = new SweepResults(folder);
    List<SweepCell> cells = folder.sweep().cells();
    int size = folder.sweep().choices().size() * folder.sweep().seeds();
    for (int first = 0; first < cells.size(); first += size) {
      results.add(cells.subList(first, first + size));
    }
    return results;
  }

  private void add(List<SweepCell> cells) {
    SweepSetting setting = cells.getFirst().setting();
    Map<PolicyChoice, List<RunFigures>> figures = new LinkedHashMap<>();
    for (SweepCell cell : cells) {
      Optional<RunFigures> left = folder.figures(cell);
      List<RunFigures> own = figures.computeIfAbsent(cell.choice(), choice -> new ArrayList<>());
      left.ifPresentOrElse(own::add, () -> missing.add(cell));
    }
    List<ComparedPolicy> policies = new ArrayList<>();
    figures.forEach(
        (choice, own) -> {
          if (own.size() == folder.sweep().seeds()) {
            policies.add(new ComparedPolicy(choice.policy(), choice.placer(), own));
          }
        });
    PolicyChoice first = cells.getFirst().choice();
    if (figures.getOrDefault(first, List.of()).size() == folder.sweep().seeds()) {
      settings.add(setting);
      compared.add(new ComparedSetting(names.of(setting), policies));
    }
  }

  /**
   * Writes the table, and what else was asked for.
   *
   * @throws CommandFailedException after that, if cells are missing
   */
  void write(PrintWriter out, ResultOutputs outputs, SweepReports reports) {
    if (!compared.isEmpty()) {
      Map<String, String> common = Map.of("sweep", folder.path().toString());
      outputs.writeJson(out, text -> text.append(ComparedPoliciesJson.ofAll(common, compared)));
      outputs.writeRows(out, text -> ComparedPoliciesCsv.write(compared, text));
      if (outputs.areText()) {
        new ComparisonTable(compared, names.varied()).print(out);
      }
      if (outputs.isReported()) {
        reports.write(out, outputs, settings, compared);
      }
      out.flush();
    }
    if (!missing.isEmpty()) {
      throw new CommandFailedException(missingText());
    }
  }

  private String missingText() {
    SweepCell named =
        missing.stream()
            .filter(cell -> folder.failed(cell).isPresent())
            .findFirst()
            .orElse(missing.getFirst());
    return "%d of %s have no result. %s: %s. The same command again runs what is missing"
        .formatted(
            missing.size(),
            Count.of(folder.sweep().cells().size(), "cell"),
            named,
            folder.failed(named).orElse("it has not run to its end"));
  }
}
