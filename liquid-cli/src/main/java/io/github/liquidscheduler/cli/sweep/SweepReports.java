package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cli.output.ResultOutputs;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.comparison.ComparedSetting;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.RunRecorder;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.List;

/**
 * Writes the reports of a sweep, one for each of its settings. Cells keep figures only, so each
 * policy runs once more on the trace itself, for the details.
 */
record SweepReports(SweepFolder folder, String command, SettingReader reader) {

  /** Writes those of settings, in order. */
  void write(
      PrintWriter out,
      ResultOutputs outputs,
      List<SweepSetting> settings,
      List<ComparedSetting> compared) {
    for (int number = 1; number <= settings.size(); number++) {
      OutputFile file = outputs.report(number);
      HtmlReport report = report(settings.get(number - 1), compared.get(number - 1));
      file.writeText(out, report::appendTo);
      if (settings.size() > 1 && outputs.areText()) {
        out.printf("%s: %s%n", file, settings.get(number - 1));
      }
    }
  }

  private HtmlReport report(SweepSetting setting, ComparedSetting compared) {
    LoadedSetting loaded = reader.read(setting);
    String input = Count.of(loaded.jobs().jobs().size(), "job") + " of " + setting;
    HtmlReport report = new HtmlReport(loaded.jobs(), loaded.cluster(), input, command);
    for (ComparedPolicy policy : compared.policies()) {
      RunRecorder recorder = new RunRecorder(loaded.cluster(), loaded.jobs());
      SimulationResult result = loaded.run(traceItself(setting, policy), recorder);
      report.add(name(policy), recorder, result, policy.runs());
    }
    return report;
  }

  private SweepCell traceItself(SweepSetting setting, ComparedPolicy policy) {
    return folder.sweep().cells().stream()
        .filter(cell -> cell.draw() == 0 && cell.setting().equals(setting))
        .filter(cell -> cell.choice().policy().equals(policy.policy()))
        .filter(cell -> cell.choice().placer().equals(policy.placer()))
        .findFirst()
        .orElseThrow();
  }

  private String name(ComparedPolicy policy) {
    return folder.sweep().placers().size() == 1
        ? policy.policy()
        : policy.policy() + ", " + policy.placer();
  }
}
