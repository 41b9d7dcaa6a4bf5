package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One node that holds all quotas: they alone limit jobs. A job that runs is one task that holds all
 * that the job does.
 */
final class OneNode implements CohortNodes {

  private static final String NODE = "node";

  private final CohortJobs jobs;
  private final List<Facts> running;
  private final GpuNumbers numbers = new GpuNumbers();

  /** Makes the node of a case, for the jobs that run. */
  OneNode(Facts facts, List<Facts> running) {
    jobs = new CohortJobs(facts, false);
    this.running = List.copyOf(running);
  }

  @Override
  public ClusterTopology cluster() {
    List<Facts> owners = jobs.owners();
    requireOneFlavour(owners);
    Map<String, Double> quotas = new LinkedHashMap<>();
    for (Facts quota :
        owners.stream().flatMap(owner -> owner.objects("quotas").stream()).toList()) {
      quotas.merge(quota.text("resource"), quota.number("nominal", 0), Double::sum);
    }
    Map<String, Double> held = new LinkedHashMap<>();
    running.forEach(
        job -> CohortJobs.usage(job).forEach((name, part) -> held.merge(name, part, Double::sum)));
    held.forEach((name, part) -> quotas.merge(name, part, Math::max));
    double cpu = Objects.requireNonNullElse(quotas.remove(CohortJobs.CPU), 0.0);
    double memory = Objects.requireNonNullElse(quotas.remove(CohortJobs.MEMORY), 0.0);
    int gpus = (int) quotas.values().stream().mapToDouble(part -> part).sum();
    Supplier<Node> node =
        () ->
            Node.builder(NODE)
                .cpu(CpuCores.of(cpu))
                .memory(Memory.ofBytes((long) memory))
                .gpus(gpus, jobs.gpuModel(), Memory.ofGib(1))
                .build();
    return ClusterTopology.builder().node(Refusal.locating("queues", node)).build();
  }

  private static void requireOneFlavour(List<Facts> owners) {
    long flavors =
        owners.stream()
            .flatMap(queue -> queue.objects("quotas").stream())
            .filter(CohortJobs::isOfGpus)
            .map(quota -> quota.text("flavor"))
            .distinct()
            .count();
    if (flavors > 1) {
      throw Refusal.of("queues", "GPUs must be of one flavour, but are of several");
    }
  }

  @Override
  public JobSpec running(Facts job) {
    return jobs.inOneTask(job);
  }

  @Override
  public JobSpec waiting(Facts job) {
    return jobs.waiting(job);
  }

  @Override
  public Placement placement(JobSpec job, Facts stated) {
    ResourceRequest request = job.roles().get(0).request();
    List<Integer> gpus = numbers.take(NODE, request.gpus());
    TaskId task = new TaskId(job.roles().get(0).name(), 0);
    return new Placement(
        job.id(), List.of(new TaskPlacement(task, NodeId.of(NODE), gpus, request)));
  }

  @Override
  public Map<String, Object> written(Placement placement) {
    return Map.of();
  }

  @Override
  public List<NodeId> gone() {
    return List.of();
  }
}
