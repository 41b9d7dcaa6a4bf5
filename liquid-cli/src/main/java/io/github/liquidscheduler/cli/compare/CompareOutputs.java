package io.github.liquidscheduler.cli.compare;

import io.github.liquidscheduler.cli.output.HtmlOutput;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.simulator.comparison.ComparedPoliciesCsv;
import io.github.liquidscheduler.simulator.comparison.ComparedPoliciesJson;
import io.github.liquidscheduler.simulator.comparison.ComparedPolicy;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the results of a comparison go. */
final class CompareOutputs {

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write means, intervals and differences as JSON; - is the standard output.")
  private @Nullable OutputFile json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write one row for each run as CSV; - is the standard output.")
  private @Nullable OutputFile csv;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = HtmlOutput.class,
      description =
          "Write a report for a browser as one HTML file. Its details are of the trace itself, its"
              + " figures of all draws.")
  private @Nullable OutputFile html;

  void check(CommandSpec spec) {
    if (isPrinted(json) && isPrinted(csv)) {
      throw new ParameterException(
          spec.commandLine(), "only one of --json and --csv can go to the standard output");
    }
  }

  boolean isReported() {
    return html != null;
  }

  void write(
      PrintWriter out,
      Map<String, String> settings,
      List<ComparedPolicy> policies,
      HtmlReport report) {
    if (json != null) {
      json.writeText(out, text -> text.append(ComparedPoliciesJson.of(settings, policies)));
    }
    if (csv != null) {
      csv.writeText(out, text -> ComparedPoliciesCsv.write(policies, text));
    }
    if (html != null) {
      html.writeText(out, report::appendTo);
    }
    if (!isPrinted(json) && !isPrinted(csv)) {
      new ComparisonTable(policies).print(out);
    }
    out.flush();
  }

  private static boolean isPrinted(@Nullable OutputFile file) {
    return file != null && file.isStandardOutput();
  }
}
