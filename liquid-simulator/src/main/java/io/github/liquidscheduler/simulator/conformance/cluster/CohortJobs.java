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
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.conformance.peer.Facts;
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

  private CohortJobs() {}

  static ClusterTopology cluster(Facts facts) {
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

  static Map<String, Double> usage(Facts job) {
    Map<String, Double> usage = new LinkedHashMap<>();
    for (String flavor : job.object("usage").names()) {
      Facts amounts = job.object("usage").object(flavor);
      amounts.names().forEach(name -> usage.merge(name, amounts.number(name), Double::sum));
    }
    return usage;
  }

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

  static JobSpec job(Facts stated, Map<String, Double> amounts) {
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

  static Placement onNode(JobSpec job) {
    return new Placement(
        job.id(),
        List.of(
            new TaskPlacement(
                new TaskId(ROLE, 0), NodeId.of(NODE), List.of(), job.roles().get(0).request())));
  }
}
