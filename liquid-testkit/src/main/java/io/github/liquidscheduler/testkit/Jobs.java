package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Jobs of one role with whole GPUs. */
final class Jobs {
  private Jobs() {}

  /** Returns jobs with the id {@code job}, with every constraint that a placer has to keep. */
  static Arbitrary<JobSpec> constrained() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 8),
            Arbitraries.frequencyOf(Tuple.of(4, requests()), Tuple.of(1, shares())),
            models(),
            required(),
            grouping(),
            Arbitraries.frequency(Tuple.of(5, false), Tuple.of(1, true)),
            communications(),
            sharing())
        .as(Jobs::build);
  }

  private static JobSpec build(
      int tasks,
      ResourceRequest request,
      List<GpuModel> models,
      TopologyConstraint required,
      Grouping grouping,
      boolean ssd,
      Communication communication,
      Sharing sharing) {
    JobSpec.Builder job =
        JobSpec.builder("job")
            .role("worker", tasks, request)
            .gpuModels(models)
            .topology(grouping.added(required, tasks))
            .communication(communication)
            .sharing(sharing);
    return (ssd ? job.nodeLabel("disk", "ssd") : job).build();
  }

  static Arbitrary<ResourceRequest> requests() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(1, 6).optional(0.33),
            Arbitraries.integers().between(1, 40).optional(0.33),
            Arbitraries.of(8, 16, 24, 32).optional(0.25))
        .as(Jobs::request);
  }

  private static ResourceRequest request(
      int gpus, Optional<Integer> cpu, Optional<Integer> memory, Optional<Integer> gpuMemory) {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(gpus);
    cpu.map(CpuCores::of).ifPresent(request::cpu);
    memory.map(Memory::ofGib).ifPresent(request::memory);
    gpuMemory.map(Memory::ofGib).ifPresent(request::gpuMemory);
    return request.build();
  }

  private static Arbitrary<ResourceRequest> shares() {
    return Combinators.combine(
            Arbitraries.of(10, 25, 50, 80), Arbitraries.of(4, 8, 16).optional(0.5))
        .as(
            (percent, gpuMemory) ->
                share(GpuShare.ofPercent(percent), gpuMemory.map(Memory::ofGib)));
  }

  private static ResourceRequest share(GpuShare share, Optional<Memory> gpuMemory) {
    ResourceRequest.Builder request = ResourceRequest.builder().share(share);
    gpuMemory.ifPresent(request::gpuMemory);
    return request.build();
  }

  static Arbitrary<Sharing> sharing() {
    return Arbitraries.frequency(
        Tuple.of(2, new Sharing.Exclusive()),
        Tuple.of(1, new Sharing.Opportunistic()),
        Tuple.of(1, new Sharing.Guaranteed(0.5)));
  }

  private static Arbitrary<List<GpuModel>> models() {
    return Arbitraries.frequency(
        Tuple.of(4, List.of()),
        Tuple.of(1, Topologies.MODELS),
        Tuple.of(1, Topologies.MODELS.subList(1, 2)));
  }

  private static Arbitrary<TopologyConstraint> required() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.just(TopologyConstraint.NONE)),
        Tuple.of(1, Arbitraries.of(Topologies.LEVELS).map(TopologyConstraint::required)));
  }

  /** Slices, a spread, or neither (where {@code tasks} is 0). */
  private record Grouping(boolean slices, int tasks, String level) {

    TopologyConstraint added(TopologyConstraint constraint, int gang) {
      if (tasks == 0) {
        return constraint;
      }
      return slices
          ? constraint.andSlices(Math.min(tasks, gang), level)
          : constraint.andSpread(tasks, level);
    }
  }

  private static Arbitrary<Grouping> grouping() {
    Arbitrary<Grouping> any =
        Combinators.combine(
                Arbitraries.of(true, false),
                Arbitraries.integers().between(1, 4),
                Arbitraries.of(Topologies.LEVELS))
            .as(Grouping::new);
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.just(new Grouping(false, 0, ""))), Tuple.of(1, any));
  }

  private static Arbitrary<Communication> communications() {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.just(new Communication.None())),
        Tuple.of(
            1,
            Arbitraries.longs()
                .between(0, 9)
                .map(hundreds -> new Communication.AllReduce(hundreds * 100_000_000))));
  }
}
