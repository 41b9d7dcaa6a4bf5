package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * A job that has no id yet. Its first role may have {@code fewer} tasks less, or one more, unless
 * that is 0; {@code seconds} is 0 if it is unknown how long it runs. A job that uses 40 percent of
 * a GPU alone has the model family {@code u40}.
 */
public record JobDraft(
    List<TaskRole> roles,
    List<RoleGroup> groups,
    int fewer,
    Constraints constraints,
    int priority,
    boolean preemptible,
    int seconds,
    Sharing sharing,
    QueueName queue,
    int utilization) {

  /** The models of the GPUs that these jobs ask for. */
  public static final List<GpuModel> MODELS = List.of(GpuModel.of("V100"), GpuModel.of("A100"));

  private static final List<TopologyConstraint> PART_TOPOLOGIES =
      List.of(
          TopologyConstraint.NONE,
          TopologyConstraint.NONE,
          TopologyConstraint.required("rack"),
          TopologyConstraint.preferred("rack"),
          TopologyConstraint.required("node"));

  /**
   * Where a job may run: its topology, its GPU models in order of preference, and whether only on
   * nodes with the label {@code disk=ssd}.
   */
  public record Constraints(TopologyConstraint topology, List<GpuModel> models, boolean ssd) {}

  /** Returns the job under an id. */
  public JobSpec named(String id) {
    JobSpec.Builder job =
        JobSpec.builder(id)
            .roles(roles)
            .groups(groups)
            .topology(constraints.topology())
            .gpuModels(constraints.models())
            .priority(priority)
            .sharing(sharing)
            .queue(queue.value())
            .workload(Workload.builder("u" + utilization).build())
            .preemptible(preemptible);
    if (constraints.ssd()) {
      job.nodeLabel("disk", "ssd");
    }
    int preferred = roles.getFirst().count();
    if (fewer > 0) {
      job.parallelism(
          Parallelism.between(Math.max(1, preferred - fewer), preferred, preferred + 1));
    }
    if (seconds > 0) {
      job.expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
    }
    return job.build();
  }

  /** Returns jobs of one or two roles, some on shares of GPUs. */
  public static Arbitrary<JobDraft> any() {
    return drafts(anyRoles(), anyConstraints());
  }

  /** Returns jobs like {@link #any()} that may share GPUs, some in slices and some spread. */
  public static Arbitrary<JobDraft> ofEveryKind() {
    return Combinators.combine(drafts(anyRoles(), everyConstraint()), anySharing())
        .as(JobDraft::with);
  }

  /**
   * Returns jobs of two or three roles, which may run with fewer tasks, or be close together by
   * themselves, and in half of which the first two are a group that may run without one of them.
   */
  public static Arbitrary<JobDraft> inParts() {
    Arbitrary<TaskRole> part =
        Combinators.combine(
                roles(whole()),
                Arbitraries.of(1, 1, 2, 4),
                Arbitraries.of(PART_TOPOLOGIES),
                nodeLabels())
            .as(
                (roles, min, topology, labels) ->
                    roles
                        .getFirst()
                        .atLeast(Math.min(min, roles.getFirst().count()))
                        .within(topology)
                        .on(labels));
    Arbitrary<List<RoleGroup>> groups =
        Combinators.combine(Arbitraries.of(1, 2), Arbitraries.of(PART_TOPOLOGIES))
            .as(
                (min, topology) ->
                    List.of(RoleGroup.of("both", "part0", "part1").atLeast(min).within(topology)));
    return Combinators.combine(
            ofOneRole(),
            part.list().ofMinSize(2).ofMaxSize(3),
            Arbitraries.oneOf(Arbitraries.just(List.<RoleGroup>of()), groups))
        .as((draft, parts, together) -> draft.with(numbered(parts), together));
  }

  private static List<TaskRole> numbered(List<TaskRole> parts) {
    List<TaskRole> numbered = new ArrayList<>();
    for (TaskRole part : parts) {
      TaskRole named = new TaskRole("part" + numbered.size(), part.count(), part.request());
      numbered.add(named.atLeast(part.min()).within(part.topology()).on(part.nodeLabels()));
    }
    return numbered;
  }

  private static Arbitrary<List<TaskRole>> anyRoles() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, roles(whole())),
        Tuple.of(1, roles(shares())),
        Tuple.of(
            1,
            Combinators.combine(roles(whole()), roles(whole()), nodeLabels(), nodeLabels())
                .as(
                    (servers, workers, ofServers, ofWorkers) ->
                        List.of(
                            new TaskRole("ps", servers.get(0).count(), servers.get(0).request())
                                .on(ofServers),
                            workers.get(0).on(ofWorkers)))));
  }

  private static Arbitrary<Map<String, String>> nodeLabels() {
    return Arbitraries.frequency(
        Tuple.of(3, Map.<String, String>of()), Tuple.of(1, Map.of("disk", "ssd")));
  }

  /** Returns jobs of one role with whole GPUs: those whose best fit is exact. */
  public static Arbitrary<JobDraft> ofOneRole() {
    return drafts(roles(whole()), anyConstraints());
  }

  /** Returns jobs of one role, most of which may share GPUs. */
  public static Arbitrary<JobDraft> thatMayShare() {
    Arbitrary<List<TaskRole>> roles =
        Arbitraries.frequencyOf(Tuple.of(4, roles(whole())), Tuple.of(1, roles(shares())));
    return Combinators.combine(drafts(roles, anyConstraints()), anySharing()).as(JobDraft::with);
  }

  private static Arbitrary<Sharing> anySharing() {
    return Arbitraries.of(
        new Sharing.Exclusive(), new Sharing.Opportunistic(), new Sharing.Guaranteed(0.7));
  }

  /** Returns a job that is like this one, but of one role and one size, and may run anywhere. */
  public JobDraft plain(TaskRole role) {
    return new JobDraft(
        List.of(role),
        List.of(),
        0,
        new Constraints(TopologyConstraint.NONE, List.of(), false),
        priority,
        preemptible,
        seconds,
        sharing,
        queue,
        utilization);
  }

  private JobDraft with(Sharing other) {
    return new JobDraft(
        roles,
        groups,
        fewer,
        constraints,
        priority,
        preemptible,
        seconds,
        other,
        queue,
        utilization);
  }

  private JobDraft with(List<TaskRole> parts, List<RoleGroup> together) {
    return new JobDraft(
        parts,
        together,
        0,
        constraints,
        priority,
        preemptible,
        seconds,
        sharing,
        queue,
        utilization);
  }

  private static Arbitrary<JobDraft> drafts(
      Arbitrary<List<TaskRole>> roles, Arbitrary<Constraints> constraints) {
    return Combinators.combine(
            roles,
            Arbitraries.frequency(Tuple.of(4, 0), Tuple.of(1, 1), Tuple.of(1, 3)),
            constraints,
            Arbitraries.integers().between(0, 3),
            Arbitraries.frequency(Tuple.of(4, true), Tuple.of(1, false)),
            Arbitraries.integers().between(0, 300),
            Arbitraries.frequency(Tuple.of(3, "default"), Tuple.of(1, "research")),
            Arbitraries.of(10, 30, 60, 90))
        .as(
            (tasks, fewer, where, priority, preemptible, seconds, queue, utilization) ->
                new JobDraft(
                    tasks,
                    List.of(),
                    fewer,
                    where,
                    priority,
                    preemptible,
                    seconds,
                    new Sharing.Exclusive(),
                    QueueName.of(queue),
                    utilization));
  }

  private static Arbitrary<List<TaskRole>> roles(Arbitrary<ResourceRequest> requests) {
    return Combinators.combine(Arbitraries.of(1, 1, 1, 2, 2, 3, 4), requests)
        .as((count, request) -> List.of(new TaskRole("worker", count, request)));
  }

  private static Arbitrary<ResourceRequest> whole() {
    return Combinators.combine(
            Arbitraries.of(0, 1, 1, 1, 2, 2, 3),
            Arbitraries.of(0, 0, 1, 4),
            Arbitraries.of(0, 0, 8, 32),
            Arbitraries.of(0, 0, 0, 0, 0, 32))
        .as(
            (gpus, cpu, memory, gpuMemory) -> {
              ResourceRequest.Builder request = ResourceRequest.builder().gpus(gpus);
              if (cpu > 0) {
                request.cpu(CpuCores.of(cpu));
              }
              if (memory > 0) {
                request.memory(Memory.ofGib(memory));
              }
              if (gpuMemory > 0) {
                request.gpuMemory(Memory.ofGib(gpuMemory));
              }
              return request.build();
            });
  }

  private static Arbitrary<ResourceRequest> shares() {
    return Combinators.combine(Arbitraries.of(25, 50, 80), Arbitraries.of(0, 4, 16))
        .as(
            (percent, gpuMemory) ->
                ResourceRequest.builder()
                    .share(GpuShare.ofPercent(percent))
                    .gpuMemory(Memory.ofGib(gpuMemory))
                    .build());
  }

  private static Arbitrary<Constraints> anyConstraints() {
    return constraints(
        Arbitraries.frequency(
            Tuple.of(12, TopologyConstraint.NONE),
            Tuple.of(2, TopologyConstraint.required("rack")),
            Tuple.of(2, TopologyConstraint.required("node")),
            Tuple.of(2, TopologyConstraint.preferred("rack")),
            Tuple.of(1, TopologyConstraint.required("galaxy"))));
  }

  private static Arbitrary<Constraints> everyConstraint() {
    return constraints(
        Arbitraries.frequency(
            Tuple.of(8, TopologyConstraint.NONE),
            Tuple.of(2, TopologyConstraint.required("zone")),
            Tuple.of(2, TopologyConstraint.required("rack")),
            Tuple.of(1, TopologyConstraint.required("node")),
            Tuple.of(1, TopologyConstraint.preferred("rack")),
            Tuple.of(2, TopologyConstraint.NONE.andSlices(2, "zone")),
            Tuple.of(1, TopologyConstraint.NONE.andSlices(2, "rack")),
            Tuple.of(1, TopologyConstraint.NONE.andSlices(3, "cluster")),
            Tuple.of(1, TopologyConstraint.required("rack").andSlices(2, "node")),
            Tuple.of(1, TopologyConstraint.NONE.andSpread(1, "node")),
            Tuple.of(1, TopologyConstraint.NONE.andSpread(2, "rack")),
            Tuple.of(1, TopologyConstraint.NONE.andSpread(2, "cluster"))));
  }

  private static Arbitrary<Constraints> constraints(Arbitrary<TopologyConstraint> topologies) {
    Arbitrary<List<GpuModel>> models =
        Arbitraries.frequency(
            Tuple.of(12, List.of()), Tuple.of(2, MODELS), Tuple.of(1, MODELS.subList(1, 2)));
    return Combinators.combine(
            topologies, models, Arbitraries.frequency(Tuple.of(12, false), Tuple.of(1, true)))
        .as(Constraints::new);
  }
}
