package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerListener;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** Prints each decision as a line, with its time and reason. */
record DecisionLines(PrintWriter out) implements SchedulerListener {

  @Override
  public void decided(
      ClusterEvent event, List<Decision> decisions, TurnTimes times, Scheduler scheduler) {
    for (Decision decision : decisions) {
      line(event.at(), text(decision) + ": " + decision.why().describe());
    }
  }

  @Override
  public void refused(ClusterEvent event, RuntimeException why) {
    line(event.at(), "was told what cannot be: " + why.getMessage());
  }

  /** Prints something that operators should know, with the present time. */
  void line(String text) {
    line(Instant.now(), text);
  }

  private void line(Instant at, String text) {
    out.println(at.truncatedTo(ChronoUnit.SECONDS) + " " + text);
    out.flush();
  }

  /** Returns what is decided, without the reason. */
  static String text(Decision decision) {
    return switch (decision) {
      case Decision.Start start -> "start " + start.job() + " on " + nodes(start.placement());
      case Decision.Preempt stop -> "stop " + stop.job();
      case Decision.Migrate move -> "move " + move.job() + " to " + nodes(move.placement());
      case Decision.Resize resize -> "resize " + resize.job() + " to " + nodes(resize.placement());
      case Decision.Profile profile -> "profile " + profile.job();
      case Decision.Reject reject -> "reject " + reject.job();
      case Decision.Prefetch fetch -> "bring " + fetch.dataset().name() + " to " + fetch.node();
      case Decision.CancelPrefetch fetch -> "do not bring " + fetch.dataset();
      case Decision.RequestPlan plan -> "plan " + plan.jobs();
    };
  }

  static String nodes(Placement placement) {
    return placement.nodes().stream().map(NodeId::value).collect(Collectors.joining(","));
  }
}
