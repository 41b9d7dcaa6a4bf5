package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.conformance.peer.CaseOutcome;
import io.github.liquidscheduler.simulator.conformance.peer.CaseRunner;
import io.github.liquidscheduler.simulator.conformance.peer.Facts;
import io.github.liquidscheduler.simulator.conformance.peer.PeerCase;
import io.github.liquidscheduler.simulator.conformance.quota.CohortTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which jobs leave for one that arrives where queues in cohorts lend each other quota: the
 * scheduler, with {@link CohortJobs}.
 */
public final class PreemptionRunner implements CaseRunner {

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    CohortTree cohorts = CohortTree.of(facts);
    Map<JobId, Placement> before = new LinkedHashMap<>();
    GpuNumbers numbers = new GpuNumbers();
    List<JobSpec> jobs = new ArrayList<>();
    for (Facts job : running(facts)) {
      if (job.flag("beingEvicted")) {
        throw new IllegalArgumentException("a job must run or wait, but one is leaving");
      }
      JobSpec spec = CohortJobs.job(job, CohortJobs.usage(job));
      jobs.add(spec);
      before.put(spec.id(), CohortJobs.onNode(spec, numbers));
    }
    Facts incoming = facts.object("incoming");
    JobSpec arrival = CohortJobs.job(incoming, CohortJobs.requests(incoming));
    jobs.add(arrival);
    List<Facts> own =
        facts.objects("queues").stream()
            .filter(queue -> queue.text("name").equals(incoming.text("queue")))
            .toList();
    List<ClusterEvent> submissions =
        jobs.stream()
            .<ClusterEvent>map(job -> new ClusterEvent.JobSubmitted(SeededScheduler.NOW, job))
            .toList();
    Scheduler scheduler =
        SeededScheduler.of(
            CohortJobs.cluster(facts),
            CohortJobs.policy(own),
            CohortJobs.rules(own),
            submissions,
            before);
    SeededScheduler.settle(scheduler, cohorts.tree());
    return new CaseOutcome.Ran(result(before, arrival, scheduler));
  }

  /** Returns the jobs that run, those last that leave first: admitted last, of these by uid. */
  private static List<Facts> running(Facts facts) {
    List<Facts> running = new ArrayList<>(facts.objects("running"));
    running.sort(
        Comparator.<Facts>comparingDouble(job -> job.number("admittedAt", 0))
            .thenComparing(job -> job.ifText("uid").orElse(""), Comparator.reverseOrder()));
    return running;
  }

  private static Map<String, Object> result(
      Map<JobId, Placement> before, JobSpec arrival, Scheduler scheduler) {
    List<Object> evicted = new ArrayList<>();
    for (JobId job : before.keySet()) {
      if (!isRunning(scheduler, job)) {
        evicted.add(Map.of("job", job.value()));
      }
    }
    return Map.of("evicted", evicted, "admissible", isRunning(scheduler, arrival.id()));
  }

  private static boolean isRunning(Scheduler scheduler, JobId job) {
    Optional<JobStatus> status = scheduler.status(job);
    return status.filter(JobStatus.Running.class::isInstance).isPresent();
  }
}
