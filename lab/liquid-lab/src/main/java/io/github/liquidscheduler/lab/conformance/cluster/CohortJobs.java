package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** The jobs of queues in cohorts that a case states. */
final class CohortJobs {

  static final String CPU = "cpu";
  static final String MEMORY = "memory";

  /** The resource of which each task takes one. */
  static final String SLOTS = "pods";

  private static final String ROLE = "worker";
  private static final List<String> TOPOLOGY_FIELDS = List.of("mode", "level");

  private final Facts facts;
  private final boolean takeSlots;

  /**
   * Makes the jobs of a case.
   *
   * @param takeSlots whether slots of nodes are counted, as GPUs: no other resource is countable
   */
  CohortJobs(Facts facts, boolean takeSlots) {
    this.facts = facts;
    this.takeSlots = takeSlots;
    if (takeSlots && owners().stream().anyMatch(CohortJobs::hasGpus)) {
      throw facts.refusal("nodes", "either GPUs or slots can be counted");
    }
  }

  private static boolean hasGpus(Facts owner) {
    return owner.objects("quotas").stream().anyMatch(CohortJobs::isOfGpus);
  }

  boolean takeSlots() {
    return takeSlots;
  }

  /** Returns the model of the GPUs. */
  GpuModel gpuModel() {
    return GpuModel.of(
        owners().stream()
            .flatMap(owner -> owner.objects("quotas").stream())
            .filter(CohortJobs::isOfGpus)
            .map(quota -> quota.text("flavor"))
            .findFirst()
            .orElse(SLOTS));
  }

  static boolean isOfGpus(Facts quota) {
    return !quota.text("resource").equals(CPU) && !quota.text("resource").equals(MEMORY);
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

  /** Returns what a task of a group takes. */
  Map<String, Double> perTask(Facts group) {
    Map<String, Double> amounts = new LinkedHashMap<>();
    Facts perTask = group.object("perTask");
    perTask.names().forEach(name -> amounts.put(name, perTask.number(name)));
    if (takeSlots) {
      amounts.merge(SLOTS, 1.0, Double::sum);
    }
    return amounts;
  }

  /** Returns a job that holds what a case says that it does, in one task. */
  JobSpec inOneTask(Facts stated) {
    return withModel(job(stated).role(ROLE, 1, request(usage(stated))));
  }

  /** Returns a job that waits; a group that may be smaller may start with fewer tasks. */
  JobSpec waiting(Facts stated) {
    JobSpec.Builder job = job(stated);
    for (Facts group : stated.objects("groups")) {
      int count = group.count("count", 1);
      job.role(
          new TaskRole(group.text("name"), count, request(perTask(group)))
              .atLeast(group.count("minCount", count))
              .within(topology(group.object("topology"))));
    }
    return withModel(job);
  }

  /** Returns a job that runs, of which each group has a number of tasks. */
  JobSpec placed(Facts stated, ToIntFunction<Facts> tasks) {
    JobSpec.Builder job = job(stated);
    for (Facts group : stated.objects("groups")) {
      job.role(group.text("name"), tasks.applyAsInt(group), request(perTask(group)));
    }
    return withModel(job);
  }

  /** Returns how close together the tasks of a group must and should be. */
  private static TopologyConstraint topology(Facts stated) {
    stated.requireOnly("a topology", TOPOLOGY_FIELDS);
    String mode = stated.ifText("mode").orElse("unconstrained");
    return switch (mode) {
      case "required" -> TopologyConstraint.required(StatedNodes.level(stated));
      case "preferred" -> TopologyConstraint.preferred(StatedNodes.level(stated));
      case "unconstrained", "implied" -> TopologyConstraint.NONE;
      default -> throw stated.refusal("mode", "we have no word for '%s'".formatted(mode));
    };
  }

  /** Has a job ask for GPUs of the flavour that there is. */
  private JobSpec withModel(JobSpec.Builder job) {
    JobSpec made = job.build();
    boolean usesGpus = made.roles().stream().anyMatch(role -> role.request().gpus() > 0);
    return usesGpus ? job.gpuModels(List.of(gpuModel())).build() : made;
  }

  /** Returns those who have quotas. */
  List<Facts> owners() {
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
        default -> request.gpus(whole(amount.getKey(), amount.getValue()));
      }
    }
    return request.build();
  }

  private static int whole(String resource, double amount) {
    if (amount != (int) amount) {
      throw new IllegalArgumentException(
          "a task must request a whole number of '%s', but %s".formatted(resource, amount));
    }
    return (int) amount;
  }
}
