package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.simulator.conformance.peer.CaseRunner;
import io.github.liquidscheduler.simulator.conformance.peer.Facts;
import io.github.liquidscheduler.simulator.conformance.peer.PeerCase;
import io.github.liquidscheduler.simulator.conformance.quota.CohortTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which jobs of queues in cohorts start in one cycle, and who leaves for them: the scheduler, with
 * {@link CohortJobs}. Who leaves takes an hour to stop, so that it shows who waits for him.
 */
public final class CycleRunner implements CaseRunner {

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    CohortTree cohorts = CohortTree.of(facts);
    Map<JobId, Placement> before = new LinkedHashMap<>();
    GpuNumbers numbers = new GpuNumbers();
    List<ClusterEvent> submissions = new ArrayList<>();
    for (Facts job : inOrder(facts)) {
      JobSpec spec = spec(job);
      submissions.add(new ClusterEvent.JobSubmitted(SeededScheduler.NOW, spec));
      if (isRunning(job)) {
        before.put(spec.id(), CohortJobs.onNode(spec, numbers));
      }
    }
    List<Facts> queues = facts.objects("queues");
    Scheduler scheduler =
        SeededScheduler.of(
            CohortJobs.cluster(facts),
            CohortJobs.policy(queues),
            CohortJobs.rules(queues).gracePeriod(Duration.ofHours(1)),
            submissions,
            before);
    List<Decision> decisions = SeededScheduler.settle(scheduler, cohorts.tree());
    return new CaseOutcome.Ran(Map.of("jobs", outcomes(facts, decisions)));
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

  private static JobSpec spec(Facts job) {
    if (job.objects("groups").stream().anyMatch(group -> group.has("minCount"))) {
      throw new IllegalArgumentException("a job of several groups must start in whole");
    }
    return CohortJobs.job(job, isRunning(job) ? CohortJobs.usage(job) : CohortJobs.requests(job));
  }

  private static Map<String, Object> outcomes(Facts facts, List<Decision> decisions) {
    Map<String, Object> outcomes = new LinkedHashMap<>();
    for (Facts job : facts.objects("jobs")) {
      String name = job.text("name");
      outcomes.put(name, Map.of("outcome", isRunning(job) ? "keeps-running" : "waits"));
    }
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Start start ->
            outcomes.put(
                start.job().value(),
                Map.of("outcome", start.after().isEmpty() ? "admitted" : "waits-for-victims"));
        case Decision.Preempt stop -> outcomes.put(stop.job().value(), evicted());
        default -> {}
      }
    }
    return outcomes;
  }

  private static Map<String, Object> evicted() {
    return Map.of("outcome", "evicted");
  }
}
