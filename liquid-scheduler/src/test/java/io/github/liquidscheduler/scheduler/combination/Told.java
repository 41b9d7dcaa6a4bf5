package io.github.liquidscheduler.scheduler.combination;

import static java.util.stream.Collectors.joining;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.List;

/**
 * A decision as people compare it: without its reason, and without the numbers of GPUs.
 *
 * @param second when it was taken
 * @param text what is to be done
 * @param decision the whole decision
 */
record Told(long second, String text, Decision decision) {

  static Told of(Instant at, Decision decision) {
    return new Told(at.getEpochSecond(), inShort(decision), decision);
  }

  /** Returns the decision with its time. */
  String timed() {
    return second + " s: " + text;
  }

  private static String inShort(Decision decision) {
    return switch (decision) {
      case Decision.Start start ->
          "start %s %s%s".formatted(start.job(), on(start.placement()), after(start.after()));
      case Decision.Preempt preempt ->
          "preempt %s%s"
              .formatted(
                  preempt.job(),
                  preempt
                      .until()
                      .map(until -> " until " + until.getEpochSecond() + " s")
                      .orElse(""));
      case Decision.Migrate move ->
          "move %s to %s%s".formatted(move.job(), nodes(move.placement()), after(move.after()));
      case Decision.Resize resize ->
          "resize %s to %d %s%s"
              .formatted(
                  resize.job(),
                  resize.placement().gpus(),
                  on(resize.placement()),
                  after(resize.after()));
      case Decision.Profile profile -> "profile %s at %s".formatted(profile.job(), profile.sizes());
      case Decision.Reject reject -> "reject " + reject.job();
      case Decision.Prefetch prefetch ->
          "prefetch %s to %s for %s"
              .formatted(prefetch.dataset().name(), prefetch.node(), prefetch.job());
      case Decision.CancelPrefetch cancel ->
          "cancel prefetch of %s to %s".formatted(cancel.dataset(), cancel.node());
      case Decision.RequestPlan request -> "request a plan of " + request.jobs();
    };
  }

  private static String on(Placement placement) {
    return "on " + nodes(placement);
  }

  private static String nodes(Placement placement) {
    return placement.nodes().stream()
        .sorted()
        .map(node -> gpus(placement, node) + "×" + node)
        .collect(joining(" "));
  }

  private static String gpus(Placement placement, NodeId node) {
    List<TaskPlacement> tasks =
        placement.tasks().stream().filter(task -> task.node().equals(node)).toList();
    int gpus = tasks.stream().mapToInt(task -> task.gpus().size()).sum();
    return (tasks.getFirst().share().isWhole() ? "" : tasks.getFirst().share() + " of ") + gpus;
  }

  private static String after(List<JobId> jobs) {
    return jobs.isEmpty()
        ? ""
        : jobs.stream().sorted().map(JobId::value).collect(joining(", ", " after ", ""));
  }
}
