package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.lab.conformance.peer.CaseRunner;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.PeerCase;
import io.github.liquidscheduler.lab.conformance.quota.CohortTree;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which jobs of queues in cohorts start in one cycle, and who leaves for them: the scheduler, with
 * {@link CohortNodes}. Who leaves takes an hour to stop, so that it shows who waits for him.
 */
public final class CycleRunner implements CaseRunner {

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    QueueTree tree = facts.reading("queues", () -> CohortTree.of(facts).lending());
    facts.requireDistinct("jobs");
    List<Facts> jobs = inOrder(facts);
    CohortNodes nodes =
        CohortNodes.of(facts, jobs.stream().filter(CycleRunner::isRunning).toList());
    Map<JobId, Placement> before = new LinkedHashMap<>();
    List<ClusterEvent> events = new ArrayList<>();
    for (Facts job : jobs) {
      JobSpec spec = job.reading(() -> isRunning(job) ? nodes.running(job) : nodes.waiting(job));
      events.add(new ClusterEvent.JobSubmitted(SeededScheduler.BEFORE, spec));
      if (isRunning(job)) {
        before.put(spec.id(), job.reading(() -> nodes.placement(spec, job)));
      }
    }
    nodes
        .gone()
        .forEach(node -> events.add(new ClusterEvent.NodeDraining(SeededScheduler.BEFORE, node)));
    Scheduler scheduler =
        SeededScheduler.of(
            nodes.cluster(),
            Policies.priority(),
            PreemptionRules.NONE.gracePeriod(SeededScheduler.STOPPING_TIME),
            events,
            before);
    List<Decision> decisions = SeededScheduler.settle(scheduler, tree);
    return new CaseOutcome.Ran(Map.of("jobs", outcomes(facts, nodes, decisions)));
  }

  /** Returns the jobs that run, then those that wait; each from the first to the last. */
  private static List<Facts> inOrder(Facts facts) {
    List<Facts> jobs = new ArrayList<>(facts.objects("jobs"));
    jobs.sort(
        Comparator.<Facts, Boolean>comparing(job -> !isRunning(job))
            .thenComparingDouble(job -> job.number("admittedAt", 0))
            .thenComparingDouble(job -> job.number("createdAt", 0)));
    return jobs;
  }

  private static boolean isRunning(Facts job) {
    return job.text("state").equals("running");
  }

  private static Map<String, Object> outcomes(
      Facts facts, CohortNodes nodes, List<Decision> decisions) {
    Map<String, Object> outcomes = new LinkedHashMap<>();
    for (Facts job : facts.objects("jobs")) {
      String name = job.text("name");
      outcomes.put(name, Map.of("outcome", isRunning(job) ? "keeps-running" : "waits"));
    }
    Set<JobId> winners = new LinkedHashSet<>();
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Start start ->
            outcomes.put(start.job().value(), outcome(start, winners, nodes));
        case Decision.Preempt stop -> {
          winner(stop.why()).ifPresent(winners::add);
          outcomes.put(stop.job().value(), Map.of("outcome", "evicted"));
        }
        default -> {}
      }
    }
    return outcomes;
  }

  private static Map<String, Object> outcome(
      Decision.Start start, Set<JobId> winners, CohortNodes nodes) {
    boolean waits = winners.contains(start.job()) || !start.after().isEmpty();
    Map<String, Object> outcome = new LinkedHashMap<>();
    outcome.put("outcome", waits ? "waits-for-victims" : "admitted");
    outcome.putAll(nodes.written(start.placement()));
    return outcome;
  }

  private static Optional<JobId> winner(Reason why) {
    return switch (why) {
      case Reason.PreemptedByPriority reason -> Optional.of(reason.winner());
      case Reason.Reclaimed reason -> Optional.of(reason.winner());
      default -> Optional.empty();
    };
  }
}
