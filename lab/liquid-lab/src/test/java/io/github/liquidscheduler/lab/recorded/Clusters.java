package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;

/** The clusters of the recordings. */
final class Clusters {

  static final GpuModel V100 = GpuModel.of("V100");
  static final GpuModel A100 = GpuModel.of("A100");
  static final GpuModel K80 = GpuModel.of("K80");
  static final GpuModel P100 = GpuModel.of("P100");
  static final GpuModel SLICE = GpuModel.of("A100 1g");

  private Clusters() {}

  /** Nodes of 2, 4 and 8 GPUs without levels. */
  static ClusterTopology plain() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < 9; n++) {
      cluster.node(
          Node.builder("n" + n)
              .gpus(2 << n % 3, V100, Memory.ofGib(16))
              .cpu(CpuCores.of(16L << n % 3))
              .memory(Memory.ofGib(64L << n % 3))
              .build());
    }
    return cluster.build();
  }

  /** Two zones of two racks, three models, labels, and a node that is a child of the cluster. */
  static ClusterTopology mixed() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("zone", "rack");
    List<GpuModel> models = List.of(V100, A100, V100, K80);
    for (int zone = 0; zone < 2; zone++) {
      cluster.domain(Domain.of("zone", "z" + zone));
      for (int rack = 2 * zone; rack < 2 * zone + 2; rack++) {
        cluster.domain(Domain.of("rack", "r" + rack).in("z" + zone));
      }
    }
    for (int n = 0; n < 12; n++) {
      int rack = n / 3;
      Node.Builder node =
          Node.builder("n" + n)
              .gpus(n % 3 == 2 ? 2 : 4, models.get(rack), Memory.ofGib(rack == 1 ? 40 : 16))
              .cpu(CpuCores.of(32))
              .memory(Memory.ofGib(256))
              .domain("r" + rack);
      if (n % 2 == 0) {
        node.label("disk", "ssd");
      }
      cluster.node(node.build());
    }
    return cluster
        .node(Node.builder("old").gpus(2, K80, Memory.ofGib(12)).cpu(CpuCores.of(8)).build())
        .build();
  }

  /** Two racks of nodes with two NVLink groups of four GPUs. */
  static ClusterTopology twoRacks() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 2; rack++) {
      cluster.domain(
          Domain.of("rack", "r" + rack)
              .withUplink(new Link(Bandwidth.ofGigabitsPerSecond(200), Duration.ofNanos(5_000))));
    }
    for (int n = 0; n < 8; n++) {
      cluster.node(linked("n" + n, 8).domain("r" + n / 4).build());
    }
    return cluster.build();
  }

  /** Zones, racks and NVLink domains that span nodes. */
  static ClusterTopology threeLevels() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("zone", "rack", "nvl");
    int n = 0;
    for (int zone = 0; zone < 2; zone++) {
      cluster.domain(
          Domain.of("zone", "z" + zone).withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(400))));
      for (int rack = 3 * zone; rack < 3 * zone + 3; rack++) {
        cluster.domain(
            Domain.of("rack", "r" + rack)
                .in("z" + zone)
                .withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(rack % 2 == 0 ? 200 : 100))));
        for (int half = 0; half < 2; half++) {
          String domain = "v" + rack + "-" + half;
          Domain nvl = Domain.of("nvl", domain).in("r" + rack);
          cluster.domain(half == 0 ? nvl.withFabric(Bandwidth.ofGigabytesPerSecond(400)) : nvl);
          cluster.node(linked("n" + n++, 4).domain(domain).build());
          cluster.node(linked("n" + n++, 4).domain(domain).build());
        }
      }
    }
    return cluster.build();
  }

  /** Nodes of three models with so many GPUs each, for jobs to share. */
  static ClusterTopology shared(int gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 2; rack++) {
      cluster.domain(Domain.of("rack", "r" + rack));
    }
    List<GpuModel> models = List.of(V100, V100, P100, V100, K80, V100);
    for (int n = 0; n < models.size(); n++) {
      Node.Builder node = Node.builder("n" + n).domain("r" + n % 2);
      for (int gpu = 0; gpu < gpus; gpu++) {
        node.gpu(new Gpu(models.get(n), Memory.ofGib(16), gpu / 2, 0));
      }
      cluster.node(node.build());
    }
    return cluster.build();
  }

  /** Nodes of slices, and of whole GPUs. */
  static ClusterTopology slices() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < 2; n++) {
      cluster.node(Node.builder("s" + n).gpus(7, SLICE, Memory.ofGib(5)).build());
      cluster.node(Node.builder("n" + n).gpus(4, V100, Memory.ofGib(16)).build());
    }
    return cluster.build();
  }

  private static Node.Builder linked(String id, int gpus) {
    Node.Builder node =
        Node.builder(id)
            .nic(new Link(Bandwidth.ofGigabitsPerSecond(100), Duration.ofNanos(2_000)))
            .nvlink(Bandwidth.ofGigabytesPerSecond(300));
    for (int gpu = 0; gpu < gpus; gpu++) {
      node.gpu(new Gpu(A100, Memory.ofGib(40), gpu / 4, gpu / 4));
    }
    return node;
  }
}
