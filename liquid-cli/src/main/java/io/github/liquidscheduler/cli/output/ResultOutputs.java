package io.github.liquidscheduler.cli.output;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The outputs of simulations: JSON, CSV, a report, or a text for people. */
public final class ResultOutputs {

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Write the figures as JSON; - is the standard output.")
  private @Nullable OutputFile json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description =
          "Write one row as CSV for each job, or for each run that is compared; - is the standard"
              + " output.")
  private @Nullable OutputFile csv;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = HtmlOutput.class,
      description =
          "Write a report for a browser as one HTML file. Of several draws its details are of the"
              + " trace itself, its figures of all.")
  private @Nullable OutputFile html;

  /** Refuses two files that are both the standard output. */
  public void check(CommandSpec spec) {
    OptionRules.refuseIf(
        spec,
        isPrinted(json) && isPrinted(csv),
        "only one of --json and --csv can go to the standard output");
  }

  /** Returns true if a report was asked for. */
  public boolean isReported() {
    return html != null;
  }

  /** Returns true if rows were asked for. */
  public boolean hasRows() {
    return csv != null;
  }

  /** Returns true if the standard output is for people. */
  public boolean areText() {
    return !isPrinted(json) && !isPrinted(csv);
  }

  /** Returns the requested CSV output. */
  public OutputFile rows() {
    return given(csv);
  }

  /** Writes the JSON if it was asked for. */
  public void writeJson(PrintWriter out, OutputFile.Text content) {
    if (json != null) {
      json.writeText(out, content);
    }
  }

  /** Writes the CSV if it was asked for. */
  public void writeRows(PrintWriter out, OutputFile.Text content) {
    if (csv != null) {
      csv.writeText(out, content);
    }
  }

  /** Writes the report if it was asked for. */
  public void writeReport(PrintWriter out, OutputFile.Text content) {
    if (html != null) {
      html.writeText(out, content);
    }
  }

  /**
   * Returns the file of one of several reports, from 1: the first as requested, the others beside
   * it, such as {@code report-2.html}.
   */
  public OutputFile report(int number) {
    OutputFile first = given(html);
    if (number == 1) {
      return first;
    }
    String name = String.valueOf(first.path().getFileName());
    int dot = name.lastIndexOf('.');
    int end = dot > 0 ? dot : name.length();
    Path other =
        first.path().resolveSibling(name.substring(0, end) + "-" + number + name.substring(end));
    return new OutputFile(other);
  }

  private static OutputFile given(@Nullable OutputFile file) {
    if (file == null) {
      throw new IllegalStateException("the file was not asked for");
    }
    return file;
  }

  private static boolean isPrinted(@Nullable OutputFile file) {
    return file != null && file.isStandardOutput();
  }
}
