package io.github.liquidscheduler.cli;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.cost.CostBreakdown.ContentionTerm;
import io.github.liquidscheduler.placement.cost.CostBreakdown.LinkTerm;
import io.github.liquidscheduler.placement.cost.CostBreakdown.Quantity;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.simulator.alternatives.PlacementComparison;
import io.github.liquidscheduler.simulator.alternatives.PlacementComparison.Candidate;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints placements with their network cost and the best alternatives. */
record PlaceExplanation(String placer, PrintWriter out) {

  private static final int REJECTED_SHOWN = 2;
  private static final double SAME = 1e-9;
  private static final String BY_COST = "least-cost";

  void print(Decision decision, ComparingPlacer places) {
    if (decision instanceof Decision.Start start) {
      places.comparison(start.placement()).ifPresent(this::print);
    } else if (decision instanceof Decision.Reject reject) {
      out.printf("job '%s' %s%n%n", reject.job(), reject.why().describe());
    }
  }

  private void print(PlacementComparison comparison) {
    Candidate chosen = comparison.chosen();
    ListMultimap<Equivalence, Candidate> rejected =
        LinkedListMultimap.create(Multimaps.index(comparison.rejected(), Equivalence::of));
    List<Candidate> equivalent = rejected.removeAll(Equivalence.of(chosen));
    out.printf("job '%s' starts, placed by %s%n", chosen.placement().job(), placer);
    print("chosen", chosen, equivalent.size());
    Collection<List<Candidate>> others = Multimaps.asMap(rejected).values();
    others.stream()
        .limit(REJECTED_SHOWN)
        .forEach(alike -> print("rejected", alike.get(0), alike.size() - 1));
    out.printf("  why: %s%n", why(chosen, others.stream().findFirst()));
    out.printf("  %s compared%n%n", Count.of(1 + comparison.rejected().size(), "placement"));
  }

  private void print(String what, Candidate candidate, int equivalent) {
    out.printf("  %s: %s%n", what, where(candidate.placement()));
    out.printf(
        "    adds %s s to each iteration; found by %s%s%n",
        seconds(candidate.cost().cost()),
        candidate.origin(),
        equivalent == 0 ? "" : "; " + equivalent + " equivalent");
    candidate.cost().terms().forEach(term -> out.println("      " + describe(term)));
  }

  private static String where(Placement placement) {
    return tasksByNode(placement).entrySet().stream()
        .map(node -> node.getKey() + " (" + counts(node.getValue()) + ")")
        .collect(Collectors.joining(", "));
  }

  private static Map<NodeId, List<TaskPlacement>> tasksByNode(Placement placement) {
    return Multimaps.asMap(Multimaps.index(placement.tasks(), TaskPlacement::node));
  }

  private static String counts(List<TaskPlacement> tasks) {
    return tasks.stream()
        .map(task -> task.task().role())
        .collect(ImmutableMultiset.toImmutableMultiset())
        .entrySet()
        .stream()
        .map(role -> role.getCount() + " " + role.getElement())
        .collect(Collectors.joining(", "));
  }

  private static String describe(CostBreakdown.Term term) {
    return switch (term) {
      case Quantity quantity -> quantity.name() + ": " + seconds(quantity.value());
      case ContentionTerm contention ->
          "adds %2$s s to each iteration of job '%1$s'"
              .formatted(contention.job(), seconds(contention.extraSeconds()));
      case LinkTerm link ->
          "%s links: %d crossed, the slowest is that of '%s': %s MB at %s, %s s%s"
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
      return "there is no alternative";
    }
    CostBreakdown next = rejected.get().get(0).cost();
    double more = next.cost() - chosen.cost().cost();
    String how =
        more > SAME
            ? "the cheapest placement compared; the next adds %s s more to each iteration, %s"
                .formatted(seconds(more), split(chosen.cost(), next))
            : more >= -SAME ? "none is cheaper" : "not the cheapest";
    return how + (placer.equals(BY_COST) ? rule(more) : "; " + placer + " ignores cost");
  }

  private static String rule(double more) {
    if (more > SAME) {
      return "";
    }
    return more >= -SAME
        ? "; of equal placements the first is kept, in the fullest domain where the job fits"
        : "; a cheaper placement is rejected if it spans nodes where one suffices, leaves the"
            + " preferred level, or lies outside the few tightest domains searched";
  }

  private static String split(CostBreakdown chosen, CostBreakdown other) {
    double contention = contention(other) - contention(chosen);
    double own = other.cost() - chosen.cost() - contention;
    return "%s s for the job and %s s for others".formatted(signed(own), signed(contention));
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
   * The equivalence key of placements: equal costs and equal counts of tasks on the nodes.
   *
   * @param nanoseconds the cost
   * @param counts the tasks by role of each node, sorted
   */
  private record Equivalence(long nanoseconds, List<String> counts) {

    static Equivalence of(Candidate candidate) {
      List<String> counts =
          tasksByNode(candidate.placement()).values().stream()
              .map(PlaceExplanation::counts)
              .sorted()
              .toList();
      return new Equivalence(Math.round(candidate.cost().cost() / SAME), counts);
    }
  }
}
