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
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which jobs leave for one that arrives where queues in cohorts lend each other quota: the
 * scheduler, with {@link OneNode}. Who is leaving already holds nothing that counts, and leaves for
 * the one that arrives.
 */
public final class PreemptionRunner implements CaseRunner {

  /** Older jobs first; of equally old ones those that have run for longer, of these by uid. */
  private static final Comparator<Facts> BY_AGE =
      Comparator.<Facts>comparingDouble(job -> job.number("createdAt", 0))
          .thenComparingDouble(job -> job.number("admittedAt", Double.POSITIVE_INFINITY))
          .thenComparing(job -> job.ifText("uid").orElse(""), Comparator.reverseOrder());

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    QueueTree tree = facts.reading("queues", () -> CohortTree.of(facts).lending());
    Map<JobId, Placement> before = new LinkedHashMap<>();
    CohortNodes nodes = new OneNode(facts, facts.objects("running"));
    facts.requireDistinct("running");
    String arrival = facts.object("incoming").text("name");
    if (facts.objects("running").stream().anyMatch(job -> job.text("name").equals(arrival))) {
      throw facts.object("incoming").refusal("name", "must be that of no job that runs");
    }
    List<JobSpec> jobs = new ArrayList<>();
    List<Facts> stated = new ArrayList<>(facts.objects("running"));
    List<Facts> leaving = stated.stream().filter(job -> job.flag("beingEvicted")).toList();
    stated.removeAll(leaving);
    Facts incoming = facts.object("incoming");
    stated.add(incoming);
    stated.sort(BY_AGE);
    for (Facts job : stated) {
      boolean isNew = job.equals(incoming);
      JobSpec spec = job.reading(() -> isNew ? nodes.waiting(job) : nodes.running(job));
      jobs.add(spec);
      if (!isNew) {
        before.put(spec.id(), job.reading(() -> nodes.placement(spec, job)));
      }
    }
    List<ClusterEvent> submissions =
        jobs.stream()
            .<ClusterEvent>map(job -> new ClusterEvent.JobSubmitted(SeededScheduler.BEFORE, job))
            .toList();
    Scheduler scheduler =
        SeededScheduler.of(
            nodes.cluster(),
            Policies.priority(),
            PreemptionRules.NONE.gracePeriod(SeededScheduler.STOPPING_TIME),
            submissions,
            before);
    List<Decision> decisions = SeededScheduler.settle(scheduler, tree);
    return new CaseOutcome.Ran(result(leaving, JobId.of(arrival), decisions));
  }

  private static Map<String, Object> result(
      List<Facts> leaving, JobId arrival, List<Decision> decisions) {
    List<Object> evicted = new ArrayList<>();
    leaving.forEach(job -> evicted.add(Map.of("job", job.text("name"))));
    boolean starts = false;
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Preempt stop) {
        evicted.add(Map.of("job", stop.job().value()));
      }
      starts |= decision instanceof Decision.Start start && start.job().equals(arrival);
    }
    return Map.of("evicted", evicted, "admissible", starts);
  }
}
