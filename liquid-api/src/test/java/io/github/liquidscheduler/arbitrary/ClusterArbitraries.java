package io.github.liquidscheduler.arbitrary;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Any small cluster: up to three levels, some absent on a branch, nodes equal and unequal. */
public final class ClusterArbitraries {

  private static final List<String> LEVELS = List.of("zone", "spine", "rack");

  private ClusterArbitraries() {}

  /** Returns clusters of up to 8 domains and 1 to 12 nodes of up to 8 GPUs. */
  public static Arbitrary<ClusterTopology> clusters() {
    return Combinators.combine(
            Arbitraries.integers().between(0, LEVELS.size()).map(count -> LEVELS.subList(0, count)),
            domainPlans().list().ofMaxSize(8),
            nodePlans(),
            idStyles())
        .as(ClusterArbitraries::build)
        .withoutEdgeCases();
  }

  /** Returns GPUs, some of them in NVLink groups and on NUMA nodes of their own. */
  public static Arbitrary<Gpu> gpus() {
    Arbitrary<Integer> numbers = Arbitraries.integers().between(0, 2);
    return Combinators.combine(
            QuantityArbitraries.models(), QuantityArbitraries.memory(), numbers, numbers)
        .as(Gpu::new);
  }

  /** Returns ids of nodes of any cluster. */
  public static Arbitrary<NodeId> nodeIds() {
    return QuantityArbitraries.names().map(NodeId::of);
  }

  /** Returns ids of GPUs of any cluster. */
  public static Arbitrary<GpuId> gpuIds() {
    return Combinators.combine(nodeIds(), Arbitraries.integers().between(0, Integer.MAX_VALUE))
        .as(GpuId::new);
  }

  private static ClusterTopology build(
      List<String> levels, List<DomainPlan> domains, List<NodePlan> nodes, IdStyle ids) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    cluster.levels(levels.toArray(String[]::new));
    List<Domain> built = levels.isEmpty() ? List.of() : domains(levels, domains, ids);
    built.forEach(cluster::domain);
    for (int i = 0; i < nodes.size(); i++) {
      cluster.node(nodes.get(i).build(ids.node.apply(i), built));
    }
    return cluster.build();
  }

  private static List<Domain> domains(List<String> levels, List<DomainPlan> plans, IdStyle ids) {
    List<Domain> built = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      built.add(plans.get(i).build(ids.domain.apply(i), levels, built));
    }
    return built;
  }

  private static Arbitrary<DomainPlan> domainPlans() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 7),
            Arbitraries.oneOf(Arbitraries.just(Link.UNLIMITED), QuantityArbitraries.links()),
            QuantityArbitraries.bandwidths().optional(0.2))
        .as(DomainPlan::new);
  }

  /** Runs of equal nodes, since clusters have such. */
  private static Arbitrary<List<NodePlan>> nodePlans() {
    Arbitrary<List<NodePlan>> run =
        Combinators.combine(nodePlan(), Arbitraries.integers().between(1, 4))
            .as((plan, times) -> IntStream.range(0, times).mapToObj(i -> plan).toList());
    return run.list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(runs -> runs.stream().flatMap(List::stream).toList());
  }

  private static Arbitrary<NodePlan> nodePlan() {
    return Combinators.combine(
            gpuLists(),
            Arbitraries.oneOf(cpuOfServers(), QuantityArbitraries.cpu()),
            Arbitraries.oneOf(memoryOfServers(), QuantityArbitraries.memory()),
            Arbitraries.oneOf(Arbitraries.just(Link.UNLIMITED), QuantityArbitraries.links()),
            QuantityArbitraries.bandwidths(),
            Arbitraries.oneOf(
                Arbitraries.just(Map.<String, String>of()),
                Arbitraries.of("a", "b").map(pool -> Map.of("pool", pool)),
                QuantityArbitraries.labels()),
            Arbitraries.integers().between(0, 8))
        .as(NodePlan::new);
  }

  private static Arbitrary<List<Gpu>> gpuLists() {
    return Arbitraries.oneOf(
        Combinators.combine(gpus(), Arbitraries.of(1, 2, 4, 8))
            .as((gpu, count) -> Collections.nCopies(count, gpu)),
        gpus().list().ofMaxSize(4));
  }

  private static Arbitrary<CpuCores> cpuOfServers() {
    return Arbitraries.of(8, 32, 96).map(CpuCores::of);
  }

  private static Arbitrary<Memory> memoryOfServers() {
    return Arbitraries.of(64, 256, 1024).map(Memory::ofGib);
  }

  private static Arbitrary<IdStyle> idStyles() {
    return Arbitraries.oneOf(
        Arbitraries.just(new IdStyle(i -> "n" + i, i -> "d" + i)),
        Arbitraries.just(new IdStyle(i -> "n%02d".formatted(i + 7), i -> "d." + i)),
        QuantityArbitraries.names().map(name -> new IdStyle(i -> name + i, i -> i + name)));
  }

  /** How nodes and domains are named by their numbers. */
  private record IdStyle(IntFunction<String> node, IntFunction<String> domain) {}

  /** A domain whose level and parent are picked by number from what there is. */
  private record DomainPlan(int level, int parent, Link uplink, Optional<Bandwidth> fabric) {

    Domain build(String id, List<String> levels, List<Domain> before) {
      int position = level % levels.size();
      List<Domain> wider =
          before.stream().filter(d -> levels.indexOf(d.level()) < position).toList();
      Domain domain = Domain.of(levels.get(position), id).withUplink(uplink);
      Domain hung = parent < wider.size() ? domain.in(wider.get(parent).id().value()) : domain;
      return fabric.map(hung::withFabric).orElse(hung);
    }
  }

  /** A node whose domain is picked by number from what there is. */
  private record NodePlan(
      List<Gpu> gpus,
      CpuCores cpu,
      Memory memory,
      Link nic,
      Bandwidth nvlink,
      Map<String, String> labels,
      int domain) {

    Node build(String id, List<Domain> domains) {
      Node.Builder node = Node.builder(id).cpu(cpu).memory(memory).nic(nic).nvlink(nvlink);
      gpus.forEach(node::gpu);
      node.disk(memory);
      if (gpus.size() % 2 == 1) {
        node.dataset(new Dataset("given-" + gpus.size(), Memory.ofBytes(memory.bytes() / 2)));
      }
      labels.forEach(node::label);
      if (domain < domains.size()) {
        node.domain(domains.get(domain).id().value());
      }
      return node.build();
    }
  }
}
