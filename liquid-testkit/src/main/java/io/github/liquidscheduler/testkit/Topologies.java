package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Small clusters of zones and racks whose nodes differ in all that matters to a placer. */
final class Topologies {
  static final List<GpuModel> MODELS = List.of(GpuModel.of("V100"), GpuModel.of("A100"));
  static final List<String> LEVELS = List.of("zone", "rack", ClusterTopology.NODE);

  private Topologies() {}

  static Arbitrary<ClusterTopology> any() {
    Arbitrary<List<Integer>> racksOfZones =
        Arbitraries.integers().between(1, 3).list().ofMinSize(1).ofMaxSize(2);
    return Combinators.combine(racksOfZones, nodes().list().ofMinSize(1).ofMaxSize(14))
        .as(Topologies::build);
  }

  /** A node without a name; its domain is picked by number from those there are. */
  private record NodeDraft(
      int gpus, GpuModel model, Memory gpuMemory, Host host, int domain, boolean ssd) {

    Node named(String id, List<String> domains) {
      Node.Builder node =
          Node.builder(id)
              .gpus(gpus, model, gpuMemory)
              .cpu(host.cpu())
              .memory(host.memory())
              .nic(Link.of(host.nic()));
      if (domain < 2 * domains.size()) {
        node.domain(domains.get(domain % domains.size()));
      }
      if (ssd) {
        node.label("disk", "ssd");
      }
      return node.build();
    }
  }

  private record Host(CpuCores cpu, Memory memory, Bandwidth nic) {}

  private static Arbitrary<NodeDraft> nodes() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.of(MODELS),
            Arbitraries.of(16, 32).map(Memory::ofGib),
            hosts(),
            Arbitraries.integers().between(0, 17),
            Arbitraries.of(false, false, true))
        .as(NodeDraft::new);
  }

  private static Arbitrary<Host> hosts() {
    return Combinators.combine(
            Arbitraries.integers().between(4, 15).map(CpuCores::of),
            Arbitraries.integers().between(16, 79).map(Memory::ofGib),
            Arbitraries.integers().between(10, 99).map(Bandwidth::ofGigabitsPerSecond))
        .as(Host::new);
  }

  private static ClusterTopology build(List<Integer> racksOfZones, List<NodeDraft> nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("zone", "rack");
    List<String> domains = new ArrayList<>();
    for (int zone = 0; zone < racksOfZones.size(); zone++) {
      String zoneId = "z" + zone;
      cluster.domain(Domain.of("zone", zoneId));
      domains.add(zoneId);
      for (int rack = 0; rack < racksOfZones.get(zone); rack++) {
        String rackId = zoneId + "r" + rack;
        cluster.domain(Domain.of("rack", rackId).in(zoneId));
        domains.add(rackId);
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      cluster.node(nodes.get(i).named("n" + i, domains));
    }
    return cluster.build();
  }
}
