package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Jobs of queues in cohorts, on one node that has room for all. A job that runs is one task that
 * holds all that the job does.
 */
final class CohortJobs {

  /** How long who leaves takes to stop: so long that it does not come back meanwhile. */
  static final Duration STOPPING_TIME = Duration.ofHours(1);

  private static final String NODE = "node";
  private static final String ROLE = "worker";
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  private CohortJobs() {}

  /** Returns a cluster that holds all quotas, or what runs if that is more: quotas limit jobs. */
  static ClusterTopology cluster(Facts facts, List<Facts> running) {
    requireOneFlavour(facts);
    List<Facts> owners = owners(facts);
    Map<String, Double> quotas = new LinkedHashMap<>();
    for (Facts quota :
        owners.stream().flatMap(owner -> owner.objects("quotas").stream()).toList()) {
      quotas.merge(quota.text("resource"), quota.number("nominal", 0), Double::sum);
    }
    Map<String, Double> held = new LinkedHashMap<>();
    running.forEach(job -> usage(job).forEach((name, part) -> held.merge(name, part, Double::sum)));
    held.forEach((name, part) -> quotas.merge(name, part, Math::max));
    double cpu = Objects.requireNonNullElse(quotas.remove(CPU), 0.0);
    double memory = Objects.requireNonNullElse(quotas.remove(MEMORY), 0.0);
    int gpus = (int) quotas.values().stream().mapToDouble(part -> part).sum();
    return ClusterTopology.builder()
        .node(
            Node.builder(NODE)
                .cpu(CpuCores.of(cpu))
                .memory(Memory.ofBytes((long) memory))
                .gpus(gpus, gpuModel(owners), Memory.ofGib(1))
                .build())
        .build();
  }

  private static GpuModel gpuModel(List<Facts> owners) {
    return GpuModel.of(
        owners.stream()
            .flatMap(owner -> owner.objects("quotas").stream())
            .filter(CohortJobs::isOfGpus)
            .map(quota -> quota.text("flavor"))
            .findFirst()
            .orElse("none"));
  }

  private static boolean isOfGpus(Facts quota) {
    return !quota.text("resource").equals(CPU) && !quota.text("resource").equals(MEMORY);
  }

  private static void requireOneFlavour(Facts facts) {
    long flavors =
        facts.objects("queues").stream()
            .flatMap(queue -> queue.objects("quotas").stream())
            .filter(CohortJobs::isOfGpus)
            .map(quota -> quota.text("flavor"))
            .distinct()
            .count();
    if (flavors > 1) {
      throw new IllegalArgumentException("GPUs must be of one flavour, but are of several");
    }
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

  /** Returns a job that holds what a case says that it does, in one task. */
  static JobSpec running(Facts facts, Facts stated) {
    return withModel(job(stated).role(ROLE, 1, request(usage(stated))), facts).build();
  }

  /** Returns a job that waits; a group that may be smaller may start with fewer tasks. */
  static JobSpec waiting(Facts facts, Facts stated) {
    JobSpec.Builder job = job(stated);
    for (Facts group : stated.objects("groups")) {
      Facts perTask = group.object("perTask");
      Map<String, Double> amounts = new LinkedHashMap<>();
      perTask.names().forEach(name -> amounts.put(name, perTask.number(name)));
      int count = group.count("count", 1);
      job.role(
          new TaskRole(group.text("name"), count, request(amounts))
              .atLeast(group.count("minCount", count)));
    }
    return withModel(job, facts).build();
  }

  /** Has a job ask for GPUs of the flavour that there is. */
  private static JobSpec.Builder withModel(JobSpec.Builder job, Facts facts) {
    boolean usesGpus = job.build().roles().stream().anyMatch(role -> role.request().gpus() > 0);
    return usesGpus ? job.gpuModels(List.of(gpuModel(owners(facts)))) : job;
  }

  private static List<Facts> owners(Facts facts) {
    List<Facts> owners = new ArrayList<>(facts.objects("queues"));
    owners.addAll(facts.objects("cohorts"));
    return owners;
  }

  private static JobSpec.Builder job(Facts stated) {
    return JobSpec.builder(stated.text("name"))
        .queue(stated.text("queue"))
        .priority(stated.count("priority", 0))
        .preemptible(true);
  }

  private static ResourceRequest request(Map<String, Double> amounts) {
    ResourceRequest.Builder request = ResourceRequest.builder();
    for (Map.Entry<String, Double> amount : amounts.entrySet()) {
      switch (amount.getKey()) {
        case CPU -> request.cpu(CpuCores.of(amount.getValue()));
        case MEMORY -> request.memory(Memory.ofBytes(Math.round(amount.getValue())));
        default -> request.gpus((int) Math.round(amount.getValue()));
      }
    }
    return request.build();
  }

  /** Returns where a job runs that does; it takes the next GPUs. */
  static Placement onNode(JobSpec job, GpuNumbers numbers) {
    ResourceRequest request = job.roles().get(0).request();
    List<Integer> gpus = numbers.take(NODE, request.gpus());
    return new Placement(
        job.id(), List.of(new TaskPlacement(new TaskId(ROLE, 0), NodeId.of(NODE), gpus, request)));
  }
}
