package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.PlacementText;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The plans of one file of jobs by planner, one of them shown in full, and the jobs rejected. */
record PlanReport(String planner, Map<String, BatchPlan> plans, List<Decision.Reject> rejections) {

  /** The largest fraction shown as 0.0 %. */
  private static final double LEAST_GAP = 0.0005;

  void print(PrintWriter out) {
    BatchPlan plan = Objects.requireNonNull(plans.get(planner));
    plan.starts()
        .forEach(start -> out.printf("start %s: %s%n", start.job(), PlacementText.of(start)));
    plan.postponed().forEach(job -> out.println("wait  " + job));
    rejections.forEach(job -> out.printf("never %s: %s%n", job.job(), job.why().describe()));
    out.println();
    PlanCertificate certificate = plan.certificate();
    out.println(judged(certificate));
    certificate.topContributors().stream()
        .filter(job -> job.cost() > 0)
        .forEach(
            job -> out.printf("  %s costs %s%n", job.job(), DisplayFormat.seconds(job.cost())));
    out.println();
    Table table = Table.of("planner | starts | waits | cost | gap | moves");
    plans.forEach((name, other) -> table.row(row(name, other)));
    table.print(out);
  }

  private static String judged(PlanCertificate certificate) {
    String cost = "The plan costs %s; ".formatted(DisplayFormat.seconds(certificate.cost()));
    if (certificate.gap() < LEAST_GAP) {
      return cost + "no plan that starts the same jobs costs less.";
    }
    if (!isBounded(certificate)) {
      return cost + "how much of that another plan could save is not known.";
    }
    return cost
        + "one that starts the same jobs costs at least %s, so at most %s could be saved."
            .formatted(
                DisplayFormat.seconds(certificate.lowerBound()),
                DisplayFormat.percent(certificate.gap()));
  }

  private static boolean isBounded(PlanCertificate certificate) {
    return certificate.lowerBound() > 0 || certificate.cost() == 0;
  }

  private static List<String> row(String name, BatchPlan plan) {
    return List.of(
        name,
        Integer.toString(plan.starts().size()),
        Integer.toString(plan.postponed().size()),
        DisplayFormat.seconds(plan.certificate().cost()),
        isBounded(plan.certificate()) ? DisplayFormat.percent(plan.certificate().gap()) : "unknown",
        Long.toString(plan.certificate().movesEvaluated()));
  }

  void printJson(PrintWriter out) {
    List<String> all = new ArrayList<>();
    plans.forEach(
        (name, plan) ->
            all.add("    \"%s\": %s".formatted(name, nested(JsonCodecs.PLAN.writeIndented(plan)))));
    out.println("{");
    out.println("  \"planner\": \"" + planner + "\",");
    out.println(
        "  \"rejected\": ["
            + String.join(", ", rejections.stream().map(JsonCodecs.DECISION::write).toList())
            + "],");
    out.println("  \"plans\": {");
    out.println(String.join(",\n", all));
    out.println("  }");
    out.println("}");
  }

  private static String nested(String text) {
    return text.strip().replace("\n", "\n    ");
  }
}
