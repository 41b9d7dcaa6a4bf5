package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.PlacementComparison;
import io.github.liquidscheduler.placement.PlacementComparison.Candidate;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.cost.CostBreakdown.ContentionTerm;
import io.github.liquidscheduler.placement.cost.CostBreakdown.LinkTerm;
import io.github.liquidscheduler.placement.cost.CostBreakdown.Quantity;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in words where jobs start, what that costs on the network, and what else there was. */
final class PlaceExplanation {

  private static final int REJECTED_SHOWN = 2;
  private static final double SAME = 1e-9;
  private static final String BY_COST = "least-cost";

  private final String placer;
  private final PrintWriter out;

  PlaceExplanation(String placer, PrintWriter out) {
    this.placer = placer;
    this.out = out;
  }

  void print(Decision decision, ComparingPlacer places) {
    if (decision instanceof Decision.Start start) {
      places.comparison(start.placement()).ifPresent(this::print);
    } else if (decision instanceof Decision.Reject reject) {
      out.printf("job '%s' %s%n%n", reject.job(), reject.why().describe());
    }
  }

  void print(Explanation explanation) {
    out.println(explanation.describe());
  }

  private void print(PlacementComparison comparison) {
    Candidate chosen = comparison.chosen();
    Map<Likeness, List<Candidate>> rejected = new LinkedHashMap<>();
    comparison
        .rejected()
        .forEach(
            other ->
                rejected.computeIfAbsent(Likeness.of(other), key -> new ArrayList<>()).add(other));
    List<Candidate> alike = rejected.remove(Likeness.of(chosen));
    out.printf("job '%s' starts, placed by %s%n", chosen.placement().job(), placer);
    print("chosen", chosen, alike == null ? 0 : alike.size());
    rejected.values().stream()
        .limit(REJECTED_SHOWN)
        .forEach(others -> print("rejected", others.get(0), others.size() - 1));
    out.printf("  why: %s%n", why(chosen, rejected.values().stream().findFirst()));
    out.printf("  %d places looked at%n%n", 1 + comparison.rejected().size());
  }

  private void print(String what, Candidate candidate, int alike) {
    out.printf("  %s: %s%n", what, where(candidate.placement()));
    out.printf(
        "    iterations longer by %s s; found by %s%s%n",
        seconds(candidate.cost().cost()),
        candidate.origin(),
        alike == 0 ? "" : "; " + alike + " more like it");
    candidate.cost().terms().forEach(term -> out.println("      " + describe(term)));
  }

  private static String where(Placement placement) {
    return tasksByNode(placement).entrySet().stream()
        .map(node -> node.getKey() + " (" + counts(node.getValue()) + ")")
        .collect(Collectors.joining(", "));
  }

  private static Map<NodeId, Map<String, Integer>> tasksByNode(Placement placement) {
    Map<NodeId, Map<String, Integer>> tasks = new LinkedHashMap<>();
    placement
        .tasks()
        .forEach(
            task ->
                tasks
                    .computeIfAbsent(task.node(), node -> new LinkedHashMap<>())
                    .merge(task.task().role(), 1, Integer::sum));
    return tasks;
  }

  private static String counts(Map<String, Integer> tasks) {
    return tasks.entrySet().stream()
        .map(role -> role.getValue() + " " + role.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String describe(CostBreakdown.Term term) {
    return switch (term) {
      case Quantity quantity -> quantity.name() + ": " + seconds(quantity.value());
      case ContentionTerm contention ->
          "iterations of job '%s' get longer by %s s"
              .formatted(contention.job(), seconds(contention.extraSeconds()));
      case LinkTerm link ->
          "%s links: %d crossed, the slowest that of '%s': %s MB at %s, %s s%s"
              .formatted(
                  link.level(),
                  link.links(),
                  link.below(),
                  String.format(Locale.ROOT, "%.1f", link.bytes() / 1e6),
                  link.left(),
                  seconds(link.seconds()),
                  sharedWith(link.sharedWith()));
    };
  }

  private static String sharedWith(List<JobId> jobs) {
    return jobs.isEmpty()
        ? ""
        : ", shared with "
            + jobs.stream().map(job -> "job '" + job + "'").collect(Collectors.joining(", "));
  }

  private String why(Candidate chosen, Optional<List<Candidate>> rejected) {
    if (rejected.isEmpty()) {
      return "there is no other kind of place";
    }
    CostBreakdown next = rejected.get().get(0).cost();
    double more = next.cost() - chosen.cost().cost();
    String how =
        more > SAME
            ? "the cheapest of those looked at; the next costs %s s more in each iteration, %s"
                .formatted(seconds(more), parts(chosen.cost(), next))
            : more >= -SAME ? "none is cheaper" : "not the cheapest";
    return how + (placer.equals(BY_COST) ? rule(more) : "; " + placer + " does not look at cost");
  }

  /** Returns what decides beside cost. */
  private static String rule(double more) {
    if (more > SAME) {
      return "";
    }
    return more >= -SAME
        ? "; of equal ones the first is kept, in the domain with the least room that is enough"
        : "; a cheaper place is not taken if it needs several nodes where one is enough, leaves the"
            + " preferred level, or lies beyond the few tightest domains that are looked at";
  }

  /** Says whose time the difference is. */
  private static String parts(CostBreakdown chosen, CostBreakdown other) {
    double contention = contention(other) - contention(chosen);
    double own = other.cost() - chosen.cost() - contention;
    return "%s s of its own and %s s of others".formatted(signed(own), signed(contention));
  }

  private static double contention(CostBreakdown cost) {
    return cost.terms().stream()
        .mapToDouble(
            term -> term instanceof ContentionTerm contention ? contention.extraSeconds() : 0)
        .sum();
  }

  private static String seconds(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, "%.3g", value);
  }

  private static String signed(double value) {
    return Math.abs(value) < SAME ? "0" : String.format(Locale.ROOT, "%+.3g", value);
  }

  /**
   * What makes two places alike for a reader: equal costs and equal groups of tasks on the nodes.
   *
   * @param nanoseconds the cost
   * @param groups the tasks by role of each node, sorted
   */
  private record Likeness(long nanoseconds, List<String> groups) {

    static Likeness of(Candidate candidate) {
      List<String> groups =
          tasksByNode(candidate.placement()).values().stream()
              .map(PlaceExplanation::counts)
              .sorted()
              .toList();
      return new Likeness(Math.round(candidate.cost().cost() / SAME), groups);
    }
  }
}
