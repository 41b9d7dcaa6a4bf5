package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Builders;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Any job, and jobs that a given cluster may well be asked to run. */
public final class JobArbitraries {

  private JobArbitraries() {}

  /** Returns jobs in which everything that can be stated is stated now and then. */
  public static Arbitrary<JobSpec> jobs() {
    return Arbitraries.frequencyOf(Tuple.of(4, jobsOfOnePart()), Tuple.of(1, jobsInParts()));
  }

  /** Returns jobs whose roles may run with fewer tasks, or in groups, or have topologies. */
  public static Arbitrary<JobSpec> jobsInParts() {
    Arbitrary<List<TopologyConstraint>> topologies =
        Arbitraries.oneOf(
                Arbitraries.just(TopologyConstraint.NONE),
                QuantityArbitraries.names().map(TopologyConstraint::required),
                QuantityArbitraries.names().map(TopologyConstraint::preferred))
            .list()
            .ofSize(4);
    return Combinators.combine(
            ids(),
            roles().filter(JobArbitraries::canBeResized),
            described(),
            Arbitraries.integers().between(1, 64),
            topologies,
            Arbitraries.integers().between(0, 3))
        .as(JobArbitraries::inParts)
        .withoutEdgeCases();
  }

  private static JobSpec inParts(
      JobId id,
      List<TaskRole> roles,
      UnaryOperator<JobSpec.Builder> described,
      int fewest,
      List<TopologyConstraint> topologies,
      int grouped) {
    List<TaskRole> parts = new ArrayList<>();
    for (TaskRole role : roles) {
      int min = role.count() > 100 ? role.count() - 2 : fewest;
      Map<String, String> labels = fewest % 2 == 0 ? Map.of("role", role.name()) : Map.of();
      parts.add(
          role.atLeast(Math.min(role.count(), min))
              .within(topologies.get(parts.size()))
              .on(labels));
    }
    JobSpec.Builder job =
        described.apply(JobSpec.builder(id.value())).topology(TopologyConstraint.NONE).roles(parts);
    if (grouped > 0) {
      List<String> members = parts.stream().map(TaskRole::name).toList();
      int min = Math.min(grouped, members.size());
      String name = String.join("+", members) + "+";
      job.group(new RoleGroup(name, members, min, topologies.get(3)));
    }
    return job.build();
  }

  private static Arbitrary<JobSpec> jobsOfOnePart() {
    return Combinators.combine(
            ids(), roles().filter(JobArbitraries::canBeCounted), described(), sizes(), patterns())
        .as(
            (id, roles, described, sizes, pattern) ->
                described
                    .apply(JobSpec.builder(id.value()))
                    .roles(roles)
                    .parallelism(sizes.apply(roles.get(0).count()))
                    .communication(pattern.apply(roles))
                    .build())
        .withoutEdgeCases();
  }

  /** Returns whether a job may have these roles: it counts its GPUs in 32 bits. */
  private static boolean canBeCounted(List<TaskRole> roles) {
    return roles.stream().mapToLong(TaskRole::gpus).sum() <= Integer.MAX_VALUE;
  }

  /** Returns whether roles may all have several numbers of tasks, and fewer by two thousand. */
  private static boolean canBeResized(List<TaskRole> roles) {
    return canBeCounted(roles)
        && roles.stream().mapToLong(TaskRole::count).sum() <= TaskRole.MAX_TASKS;
  }

  /**
   * Returns jobs, still without their ids, of a size about that of the cluster or smaller, which
   * mostly ask for models, levels and labels that the cluster has. They state their durations.
   */
  public static Arbitrary<Function<String, JobSpec>> jobsFor(ClusterTopology cluster) {
    List<GpuModel> models = List.copyOf(new ArrayList<>(cluster.gpusByModel().keySet()));
    Arbitrary<List<GpuModel>> wanted =
        models.isEmpty()
            ? Arbitraries.just(List.of())
            : Arbitraries.of(models).list().uniqueElements().ofMaxSize(2);
    return Combinators.combine(
            modestRoles(cluster.gpuCount()),
            wanted,
            Arbitraries.of(cluster.levels()).optional(0.3),
            Arbitraries.of(cluster.levels()).optional(0.3),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(-1, 2),
            Arbitraries.integers().between(1, 10_000),
            Arbitraries.of("a", "b").optional(0.1))
        .<Function<String, JobSpec>>as(
            (roles, gpus, required, preferred, preemptible, priority, seconds, pool) ->
                id -> {
                  TopologyConstraint topology =
                      required.map(TopologyConstraint::required).orElse(TopologyConstraint.NONE);
                  JobSpec.Builder job = JobSpec.builder(id).roles(roles).gpuModels(gpus);
                  job.topology(preferred.map(topology::andPreferred).orElse(topology));
                  job.expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
                  pool.ifPresent(name -> job.nodeLabel("pool", name));
                  return job.preemptible(preemptible).priority(priority).build();
                })
        .withoutEdgeCases();
  }

  /** Returns ids of jobs. */
  public static Arbitrary<JobId> ids() {
    return QuantityArbitraries.names().map(JobId::of);
  }

  /** Returns requests of whole GPUs, of shares, and of none. */
  public static Arbitrary<ResourceRequest> requests() {
    return Combinators.combine(
            Arbitraries.oneOf(
                Arbitraries.of(0, 1, 2, 4, 8, ResourceRequest.MAX_GPUS_PER_TASK)
                    .map(gpus -> ResourceRequest.builder().gpus(gpus).build()),
                QuantityArbitraries.shares()
                    .map(share -> ResourceRequest.builder().share(share).build())),
            QuantityArbitraries.memory().optional(0.5),
            QuantityArbitraries.cpu().optional(0.5),
            QuantityArbitraries.memory().optional(0.5))
        .as(
            (gpus, gpuMemory, cpu, memory) -> {
              ResourceRequest.Builder request = gpus.toBuilder();
              gpuMemory.ifPresent(request::gpuMemory);
              cpu.ifPresent(request::cpu);
              memory.ifPresent(request::memory);
              return request.build();
            });
  }

  /** Returns what jobs compute. */
  public static Arbitrary<Workload> workloads() {
    return Combinators.combine(
            QuantityArbitraries.names(),
            QuantityArbitraries.names().optional(),
            QuantityArbitraries.counts().optional(),
            QuantityArbitraries.names().optional(),
            QuantityArbitraries.names().optional(),
            QuantityArbitraries.labels())
        .as(
            (family, framework, batchSize, precision, dataset, hyperparameters) -> {
              Workload.Builder workload = Workload.builder(family);
              framework.ifPresent(workload::framework);
              batchSize.ifPresent(workload::batchSize);
              precision.ifPresent(workload::precision);
              dataset.ifPresent(workload::dataset);
              hyperparameters.forEach(workload::hyperparameter);
              return workload.build();
            });
  }

  /** Returns data sets. */
  public static Arbitrary<Dataset> datasets() {
    return Combinators.combine(QuantityArbitraries.names(), QuantityArbitraries.memory())
        .as(Dataset::new);
  }

  /** What depends on other parts is a function of them: jqwik is slow at arbitraries of values. */
  private static Arbitrary<UnaryOperator<JobSpec.Builder>> described() {
    return Builders.withBuilder(JobArbitraries::nothing)
        .use(QuantityArbitraries.names())
        .withProbability(0.5)
        .in(stating(JobSpec.Builder::queue))
        .use(Arbitraries.integers())
        .withProbability(0.5)
        .in(stating(JobSpec.Builder::priority))
        .use(Arbitraries.of(true, false))
        .in(stating(JobSpec.Builder::preemptible))
        .use(workloads())
        .withProbability(0.7)
        .in(stating(JobSpec.Builder::workload))
        .use(synchronizations())
        .in(stating(JobSpec.Builder::synchronization))
        .use(topologies())
        .in(stating(JobSpec.Builder::topology))
        .use(sharings())
        .in(stating(JobSpec.Builder::sharing))
        .use(QuantityArbitraries.models().list().uniqueElements().ofMaxSize(3))
        .in(stating(JobSpec.Builder::gpuModels))
        .use(QuantityArbitraries.labels())
        .in(stating(JobSpec.Builder::nodeLabels))
        .use(QuantityArbitraries.names().list().ofMaxSize(2))
        .in(stating((job, nodes) -> job.excludeNodes(nodes)))
        .use(expectedWork())
        .withProbability(0.5)
        .in(stating(JobSpec.Builder::expectedWork))
        .use(QuantityArbitraries.instants())
        .withProbability(0.3)
        .in(stating(JobSpec.Builder::deadline))
        .use(Arbitraries.just(Instant.EPOCH))
        .withProbability(0.2)
        .in(stating(JobSpec.Builder::submittedAt))
        .use(datasets())
        .withProbability(0.3)
        .in(stating(JobSpec.Builder::dataset))
        .use(QuantityArbitraries.labels())
        .in(
            stating(
                (job, labels) -> {
                  labels.forEach(job::label);
                  return job;
                }))
        .build();
  }

  private static UnaryOperator<JobSpec.Builder> nothing() {
    return UnaryOperator.identity();
  }

  /** Returns what adds a statement to those that are made of a job. */
  private static <T>
      BiFunction<UnaryOperator<JobSpec.Builder>, T, UnaryOperator<JobSpec.Builder>> stating(
          BiFunction<JobSpec.Builder, T, JobSpec.Builder> statement) {
    return (before, value) -> job -> statement.apply(before.apply(job), value);
  }

  private static Arbitrary<List<TaskRole>> roles() {
    Arbitrary<Integer> counts =
        Arbitraries.oneOf(
            Arbitraries.integers().between(1, 64), Arbitraries.just(TaskRole.MAX_TASKS));
    Arbitrary<TaskRole> roles =
        Combinators.combine(QuantityArbitraries.names(), counts, requests()).as(TaskRole::new);
    return Arbitraries.oneOf(
        Arbitraries.integers()
            .between(1, 1024)
            .map(gpus -> List.of(new TaskRole("worker", gpus, ResourceRequest.ofGpus(1)))),
        roles.list().ofMinSize(1).ofMaxSize(3).uniqueElements(TaskRole::name));
  }

  private static Arbitrary<List<TaskRole>> modestRoles(int gpus) {
    Arbitrary<ResourceRequest> requests =
        Combinators.combine(
                Arbitraries.of(1, 1, 1, 2, 4, 8),
                Arbitraries.of(0, 1, 4, 16).map(CpuCores::of),
                Arbitraries.of(0, 1, 16, 64).map(Memory::ofGib))
            .as(
                (each, cpu, memory) ->
                    ResourceRequest.ofGpus(each).toBuilder().cpu(cpu).memory(memory).build());
    Arbitrary<TaskRole> workers =
        Combinators.combine(Arbitraries.integers().between(1, Math.max(1, gpus)), requests)
            .as((count, request) -> new TaskRole("worker", count, request));
    Arbitrary<TaskRole> servers =
        Combinators.combine(Arbitraries.integers().between(1, 4), Arbitraries.of(1, 8))
            .as(
                (count, cores) ->
                    new TaskRole(
                        "ps", count, ResourceRequest.builder().cpu(CpuCores.of(cores)).build()));
    return Combinators.combine(workers, servers.list().ofMaxSize(1))
        .as(
            (worker, more) -> {
              List<TaskRole> roles = new ArrayList<>(List.of(worker));
              roles.addAll(more);
              return roles;
            });
  }

  /** Returns sizes of jobs whose first role has a given count. */
  private static Arbitrary<IntFunction<Parallelism>> sizes() {
    return Arbitraries.oneOf(
        Arbitraries.just(Parallelism::fixed),
        Arbitraries.integers().between(0, 3).map(less -> count -> around(count, less)),
        Arbitraries.integers()
            .between(1, Math.min(1000, TaskRole.MAX_TASKS))
            .set()
            .ofMaxSize(5)
            .map(others -> count -> withSize(count, new ArrayList<>(others))));
  }

  private static Parallelism around(int count, int less) {
    int min = Math.max(1, count - less);
    int max = Math.min(count + 2, TaskRole.MAX_TASKS);
    return Parallelism.between(min, count, max);
  }

  private static Parallelism withSize(int count, List<Integer> others) {
    others.add(count);
    return new Parallelism(others.stream().distinct().sorted().toList(), count);
  }

  /** Returns how the roles of a job communicate. */
  private static Arbitrary<Function<List<TaskRole>, Communication>> patterns() {
    Arbitrary<Function<List<TaskRole>, Communication>> simple = simplePatterns();
    return Arbitraries.oneOf(
        simple, simple.list().ofMinSize(1).ofMaxSize(3).map(JobArbitraries::combined));
  }

  private static Function<List<TaskRole>, Communication> combined(
      List<Function<List<TaskRole>, Communication>> parts) {
    return roles ->
        new Communication.Combined(parts.stream().map(part -> part.apply(roles)).toList());
  }

  private static Arbitrary<Function<List<TaskRole>, Communication>> simplePatterns() {
    Arbitrary<Long> bytes = QuantityArbitraries.amounts();
    Arbitrary<Communication> ofAnyRoles =
        Arbitraries.oneOf(
            Arbitraries.just(new Communication.None()),
            bytes.map(Communication.AllReduce::new),
            bytes.map(Communication.Pipeline::new),
            bytes.map(Communication.AllToAll::new),
            Combinators.combine(Arbitraries.integers().between(2, Integer.MAX_VALUE), bytes)
                .as(Communication.TensorParallel::new));
    return Arbitraries.frequencyOf(
        Tuple.of(5, ofAnyRoles.map(pattern -> roles -> pattern)),
        Tuple.of(1, bytes.map(size -> roles -> throughServers(roles, size))));
  }

  /** One role alone has no servers. */
  private static Communication throughServers(List<TaskRole> roles, long bytes) {
    return roles.size() > 1
        ? new Communication.ParameterServer(roles.get(1).name(), roles.get(0).name(), bytes)
        : new Communication.AllReduce(bytes);
  }

  private static Arbitrary<Synchronization> synchronizations() {
    Arbitrary<Integer> numbers = QuantityArbitraries.counts();
    return Arbitraries.oneOf(
        Arbitraries.just(new Synchronization.Gang()),
        Combinators.combine(numbers, numbers).as(Synchronization.RelaxedRounds::new));
  }

  private static Arbitrary<Sharing> sharings() {
    return Arbitraries.oneOf(
        Arbitraries.just(new Sharing.Exclusive()),
        Arbitraries.doubles().between(0, false, 1, true).ofScale(17).map(Sharing.Guaranteed::new),
        Arbitraries.just(new Sharing.Opportunistic()));
  }

  private static Arbitrary<TopologyConstraint> topologies() {
    Arbitrary<Integer> numbers = QuantityArbitraries.counts();
    Arbitrary<String> levels = QuantityArbitraries.names();
    return Builders.withBuilder(() -> TopologyConstraint.NONE)
        .use(levels)
        .withProbability(0.3)
        .in((c, level) -> c.andRequired(level))
        .use(levels)
        .withProbability(0.3)
        .in((c, level) -> c.andPreferred(level))
        .use(Combinators.combine(numbers, levels).as(TopologyConstraint.Slices::new))
        .withProbability(0.3)
        .in((c, slices) -> c.andSlices(slices.tasks(), slices.level()))
        .use(Combinators.combine(numbers, levels).as(TopologyConstraint.Spread::new))
        .withProbability(0.3)
        .in((c, spread) -> c.andSpread(spread.maxTasks(), spread.level()))
        .build();
  }

  private static Arbitrary<ExpectedWork> expectedWork() {
    Arbitrary<Long> iterations = Arbitraries.longs().between(1, Long.MAX_VALUE);
    return Arbitraries.oneOf(
        QuantityArbitraries.durations().map(ExpectedWork::ofDuration),
        iterations.map(ExpectedWork::ofIterations),
        Combinators.combine(QuantityArbitraries.durations(), iterations).as(ExpectedWork::of));
  }
}
