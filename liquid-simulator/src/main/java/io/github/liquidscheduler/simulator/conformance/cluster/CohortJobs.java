package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.simulator.conformance.peer.Facts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs of queues in cohorts. What there is is what is guaranteed to all queues and cohorts
 * together, on one node; a job is one task that requests all that the job does.
 */
final class CohortJobs {

  private static final String NODE = "node";
  private static final String ROLE = "worker";
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String NEVER = "Never";
  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private CohortJobs() {}

  /** Returns the cluster that all quotas add up to. */
  static ClusterTopology cluster(Facts facts) {
    double cpu = 0;
    double memory = 0;
    Node.Builder node = Node.builder(NODE);
    requireOneFlavour(facts);
    List<Facts> owners = new ArrayList<>(facts.objects("queues"));
    owners.addAll(facts.objects("cohorts"));
    for (Facts owner : owners) {
      for (Facts quota : owner.objects("quotas")) {
        double nominal = quota.number("nominal", 0);
        switch (quota.text("resource")) {
          case CPU -> cpu += nominal;
          case MEMORY -> memory += nominal;
          default -> node.gpus((int) nominal, GpuModel.of(quota.text("flavor")), Memory.ofGib(1));
        }
      }
    }
    return ClusterTopology.builder()
        .node(node.cpu(CpuCores.of(cpu)).memory(Memory.ofBytes((long) memory)).build())
        .build();
  }

  private static void requireOneFlavour(Facts facts) {
    long flavors =
        facts.objects("queues").stream()
            .flatMap(queue -> queue.objects("quotas").stream())
            .filter(quota -> !quota.text("resource").equals(CPU))
            .filter(quota -> !quota.text("resource").equals(MEMORY))
            .map(quota -> quota.text("flavor"))
            .distinct()
            .count();
    if (flavors > 1) {
      throw new IllegalArgumentException("GPUs must be of one flavour, but are of several");
    }
  }

  /** Returns how jobs go by: those of higher priority take room if a queue allows that. */
  static SchedulingPolicy policy(List<Facts> queues) {
    return isAllowed(queues, "withinQueue")
        ? Policies.priority()
        : new PriorityWithoutPreemption("priority-without-preemption");
  }

  /** Returns the rules for those who leave: nobody does if no queue allows it. */
  static PreemptionRules rules(List<Facts> queues) {
    boolean allowed = isAllowed(queues, "withinQueue") || isAllowed(queues, "reclaimWithinCohort");
    return allowed ? PreemptionRules.NONE : PreemptionRules.NONE.minRunTime(FOR_EVER);
  }

  private static boolean isAllowed(List<Facts> queues, String kind) {
    return queues.stream()
        .map(queue -> queue.object("preemption").ifText(kind).orElse(NEVER))
        .anyMatch(allowed -> !allowed.equals(NEVER));
  }

  /** Returns what a job that runs holds. */
  static Map<String, Double> usage(Facts job) {
    Map<String, Double> usage = new LinkedHashMap<>();
    for (String flavor : job.object("usage").names()) {
      Facts amounts = job.object("usage").object(flavor);
      amounts.names().forEach(name -> usage.merge(name, amounts.number(name), Double::sum));
    }
    return usage;
  }

  /** Returns what all tasks of a job request together. */
  static Map<String, Double> requests(Facts job) {
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

  /** Returns a job that requests so much. */
  static JobSpec job(Facts stated, Map<String, Double> amounts) {
    ResourceRequest.Builder request = ResourceRequest.builder();
    for (Map.Entry<String, Double> amount : amounts.entrySet()) {
      switch (amount.getKey()) {
        case CPU -> request.cpu(CpuCores.of(amount.getValue()));
        case MEMORY -> request.memory(Memory.ofBytes(Math.round(amount.getValue())));
        default -> request.gpus((int) Math.round(amount.getValue()));
      }
    }
    return JobSpec.builder(stated.text("name"))
        .queue(stated.text("queue"))
        .priority(stated.count("priority", 0))
        .preemptible(true)
        .role(ROLE, 1, request.build())
        .build();
  }

  /** Returns where a job runs that does; it takes the next GPUs. */
  static Placement onNode(JobSpec job, GpuNumbers numbers) {
    ResourceRequest request = job.roles().get(0).request();
    List<Integer> gpus = numbers.take(NODE, request.gpus());
    return new Placement(
        job.id(), List.of(new TaskPlacement(new TaskId(ROLE, 0), NodeId.of(NODE), gpus, request)));
  }
}
