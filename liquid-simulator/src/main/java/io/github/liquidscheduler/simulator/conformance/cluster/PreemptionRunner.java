package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
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
 * Which jobs leave for one that arrives where queues in cohorts lend each other quota. What there
 * is is what is guaranteed to all of them together, on one node.
 */
public final class PreemptionRunner implements CaseRunner {

  private static final String NODE = "node";
  private static final String ROLE = "worker";
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  @Override
  public CaseOutcome run(PeerCase peerCase) {
    Facts facts = peerCase.facts();
    CohortTree cohorts = CohortTree.of(facts);
    Map<JobId, Placement> before = new LinkedHashMap<>();
    List<JobSpec> jobs = new ArrayList<>();
    List<Facts> running = new ArrayList<>(facts.objects("running"));
    running.sort(Comparator.comparingDouble(job -> job.number("admittedAt", 0)));
    for (Facts job : running) {
      if (job.flag("beingEvicted")) {
        throw new IllegalArgumentException("a job must run or wait, but one is leaving");
      }
      JobSpec spec = job(job, usage(job));
      jobs.add(spec);
      before.put(spec.id(), onNode(spec));
    }
    Facts incoming = facts.object("incoming");
    JobSpec arrival = job(incoming, requests(incoming));
    jobs.add(arrival);
    Scheduler scheduler = SeededScheduler.of(cluster(facts), policy(facts, incoming), jobs, before);
    SeededScheduler.settle(scheduler, cohorts.tree());
    return new CaseOutcome.Ran(result(before, arrival, scheduler));
  }

  private static SchedulingPolicy policy(Facts facts, Facts incoming) {
    boolean never =
        facts.objects("queues").stream()
            .filter(queue -> queue.text("name").equals(incoming.text("queue")))
            .anyMatch(
                queue ->
                    queue.object("preemption").ifText("withinQueue").isEmpty()
                        || queue.object("preemption").text("withinQueue").equals("Never"));
    return never
        ? new PriorityWithoutPreemption("priority-without-preemption")
        : Policies.priority();
  }

  private static ClusterTopology cluster(Facts facts) {
    double cpu = 0;
    double memory = 0;
    List<Facts> owners = new ArrayList<>(facts.objects("queues"));
    owners.addAll(facts.objects("cohorts"));
    for (Facts owner : owners) {
      for (Facts quota : owner.objects("quotas")) {
        cpu += quota.text("resource").equals(CPU) ? quota.number("nominal", 0) : 0;
        memory += quota.text("resource").equals(MEMORY) ? quota.number("nominal", 0) : 0;
      }
    }
    return ClusterTopology.builder()
        .node(
            Node.builder(NODE).cpu(CpuCores.of(cpu)).memory(Memory.ofBytes((long) memory)).build())
        .build();
  }

  private static Map<String, Double> usage(Facts job) {
    Map<String, Double> usage = new LinkedHashMap<>();
    for (String flavor : job.object("usage").names()) {
      Facts amounts = job.object("usage").object(flavor);
      amounts.names().forEach(name -> usage.merge(name, amounts.number(name), Double::sum));
    }
    return usage;
  }

  private static Map<String, Double> requests(Facts job) {
    Map<String, Double> requests = new LinkedHashMap<>();
    for (Facts group : job.objects("groups")) {
      Facts perTask = group.object("perTask");
      double count = group.number("count", 1);
      for (String name : perTask.names()) {
        requests.merge(name, count * perTask.number(name), Double::sum);
      }
    }
    return requests;
  }

  private static JobSpec job(Facts stated, Map<String, Double> amounts) {
    ResourceRequest.Builder request = ResourceRequest.builder();
    for (Map.Entry<String, Double> amount : amounts.entrySet()) {
      switch (amount.getKey()) {
        case CPU -> request.cpu(CpuCores.of(amount.getValue()));
        case MEMORY -> request.memory(Memory.ofBytes(Math.round(amount.getValue())));
        default ->
            throw new IllegalArgumentException(
                "a job must request CPU or memory, but requests " + amount.getKey());
      }
    }
    return JobSpec.builder(stated.text("name"))
        .queue(stated.text("queue"))
        .priority(stated.count("priority", 0))
        .preemptible(true)
        .role(ROLE, 1, request.build())
        .build();
  }

  private static Placement onNode(JobSpec job) {
    return new Placement(
        job.id(),
        List.of(
            new TaskPlacement(
                new TaskId(ROLE, 0), NodeId.of(NODE), List.of(), job.roles().get(0).request())));
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
