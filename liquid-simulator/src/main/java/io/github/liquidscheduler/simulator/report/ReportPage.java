package io.github.liquidscheduler.simulator.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import java.io.IOException;
import java.util.Base64;
import java.util.List;

/** Writes the file: the parts that are read without scripts, and what the scripts fill. */
final class ReportPage {

  private static final String CHARTS = "/META-INF/resources/webjars/chart.js/4.5.1/";

  private final Appendable text;
  private final String input;
  private final String command;

  ReportPage(Appendable text, String input, String command) {
    this.text = text;
    this.input = input;
    this.command = command;
  }

  void write(List<ReportRun> runs, int chosen, String data) throws IOException {
    String style = resource("report.css");
    String charts = inline("/*\n" + resource(CHARTS + "LICENSE.md") + "*/\n" + charts());
    String script = inline(resource("report.js"));
    ReportAnswer answer = ReportAnswer.of(runs.get(chosen), runs);
    String page =
        resource("report.html")
            .replace("@STYLE_HASH@", hash(style))
            .replace("@CHARTS_HASH@", hash(charts))
            .replace("@SCRIPT_HASH@", hash(script));
    // What comes from a trace goes in once, and nothing is looked for in it.
    String[] parts = page.split("@(?=[A-Z]+@)", -1);
    text.append(parts[0]);
    for (int part = 1; part < parts.length; part++) {
      int end = parts[part].indexOf('@');
      text.append(
          switch (parts[part].substring(0, end)) {
            case "STYLE" -> style;
            case "CHARTS" -> charts;
            case "SCRIPT" -> script;
            case "DATA" -> data;
            case "HEADLINE" -> ReportText.escape(answer.headline());
            case "LEAD" -> ReportText.escape(answer.lead());
            case "PRICE" -> ReportText.escape(answer.price());
            case "INPUT" -> ReportText.escape(input);
            case "COMMAND" -> ReportText.escape(command);
            case "TILES" -> tiles(answer);
            case "RUNS" -> runs(runs.getFirst().all().size());
            case "POLICIES" -> policies(runs, chosen);
            default -> throw new IllegalStateException("there is no part " + parts[part]);
          });
      text.append(parts[part], end + 1, parts[part].length());
    }
  }

  private static String tiles(ReportAnswer answer) {
    StringBuilder tiles = new StringBuilder();
    for (ReportAnswer.Tile tile : answer.tiles()) {
      String kind =
          tile.difference().startsWith("✓")
              ? "better"
              : tile.difference().startsWith("▲") ? "worse" : "";
      tiles.append(
          """
          <div class="tile"><span class="name">%s</span><strong>%s</strong>\
          <span class="difference %s">%s</span><span class="baseline">%s</span></div>
          """
              .formatted(
                  ReportText.escape(tile.name()),
                  ReportText.escape(tile.value()),
                  kind,
                  ReportText.escape(tile.difference()),
                  ReportText.escape(tile.baseline())));
    }
    return tiles.toString();
  }

  private static String policies(List<ReportRun> runs, int chosen) {
    StringBuilder table = new StringBuilder("<thead><tr><th scope=\"col\">Policy</th>");
    for (ReportFigure figure : runs.get(chosen).figures()) {
      table.append("<th scope=\"col\">").append(ReportText.escape(figure.name())).append("</th>");
    }
    table.append("</tr></thead><tbody>");
    for (int run = 0; run < runs.size(); run++) {
      table
          .append("<tr><th scope=\"row\"><label>")
          .append("<input type=\"radio\" name=\"policy\" value=\"" + run + "\"")
          .append(run == chosen ? " checked>" : ">")
          .append("<span class=\"sample\" data-policy=\"" + run + "\"></span> ")
          .append(ReportText.escape(runs.get(run).policy()))
          .append("</label></th>");
      for (ReportFigure figure : runs.get(run).figures()) {
        boolean isBest = runs.size() > 1 && isBest(figure, runs);
        table
            .append(isBest ? "<td class=\"best\">" : "<td>")
            .append(ReportText.escape(figure.text()))
            .append(isBest ? " ★" : "")
            .append(figure.interval().map(text -> "<small>" + text + "</small>").orElse(""))
            .append("</td>");
      }
      table.append("</tr>");
    }
    return table.append("</tbody>").toString();
  }

  private static String runs(int draws) {
    return draws == 1
        ? "The same jobs on the same cluster, one run each; ★ marks the best value."
        : ("The same %d draws of the trace on the same cluster: averages with 95 %% confidence"
                + " intervals; ★ where no other policy is clearly better. Further sections show the"
                + " trace itself.")
            .formatted(draws);
  }

  private static boolean isBest(ReportFigure figure, List<ReportRun> runs) {
    return runs.stream()
        .flatMap(run -> run.figures().stream())
        .filter(other -> other.name().equals(figure.name()))
        .noneMatch(other -> other.isBetterThan(figure));
  }

  /** Returns the chart library without the reference to its source map, which is not there. */
  private static String charts() throws IOException {
    return resource(CHARTS + "dist/chart.umd.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  /** Returns a script that no parser of HTML takes for the end of its element. */
  private static String inline(String script) {
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
  }

  /** Returns a resource with the ends of lines that a parser of HTML sees, since it is hashed. */
  private static String resource(String name) throws IOException {
    return Resources.toString(Resources.getResource(ReportPage.class, name), UTF_8)
        .replace("\r\n", "\n");
  }

  private static String hash(String content) {
    byte[] digest = Hashing.sha256().hashString(content, UTF_8).asBytes();
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }
}
