package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GpuPoolLaws {

  @Property
  void passesOverNoNodeThatHasEnoughAndOverBlocksThatHaveNone(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    CapacityIndex index = ClusterState.of(cluster(1 + random.nextInt(200))).index();
    GpuPool pool = index.pools().get(0);
    for (int taken = random.nextInt(50); taken > 0; taken--) {
      int node = random.nextInt(pool.size());
      long cpu = 1000L * random.nextInt(3);
      if (index.freeCpu(node) >= cpu) {
        index.take(new Holding.Amounts(node, new int[0], 1000, 0, cpu, 0));
        index.tighten(node);
      }
    }
    long cpu = 1000L * random.nextInt(6);
    int from = random.nextInt(pool.size());
    int end = from + random.nextInt(pool.size() - from + 1);
    List<Integer> found = new ArrayList<>();
    for (int slot = pool.next(1, from, end, cpu, 0);
        slot >= 0;
        slot = pool.next(1, slot + 1, end, cpu, 0)) {
      found.add(slot);
    }

    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(from, end)
                .filter(slot -> blockHas(index, pool, slot, cpu))
                .boxed()
                .toList());
  }

  /** Returns whether any of the 64 slots around a slot has as much CPU. */
  private static boolean blockHas(CapacityIndex index, GpuPool pool, int slot, long cpu) {
    int first = slot / 64 * 64;
    return IntStream.range(first, Math.min(first + 64, pool.size()))
        .anyMatch(other -> index.freeCpu(pool.nodeOf(other)) >= cpu);
  }

  @Property
  void gpusArePositionedNodeByNode(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    ClusterTopology.Builder nodes = ClusterTopology.builder();
    List<GpuId> gpus = new ArrayList<>();
    for (int node = random.nextInt(9); node >= 0; node--) {
      Node.Builder next = Node.builder("n" + node);
      for (int gpu = random.nextInt(3); gpu > 0; gpu--) {
        gpus.add(GpuId.of("n" + node, next.build().gpus().size()));
        next.gpus(1, GpuModel.of("V100"), Memory.ofGib(16));
      }
      nodes.node(next.build());
    }
    CapacityIndex index = ClusterState.of(nodes.build()).index();

    assertThat(IntStream.range(0, gpus.size()).mapToObj(index::gpu).toList()).isEqualTo(gpus);
    for (int position = 0; position < gpus.size(); position++) {
      int node = index.nodeOfGpu(position);
      assertThat(index.topology().nodes().get(node).id()).isEqualTo(gpus.get(position).node());
    }
  }

  /** Returns nodes of one GPU and three or five cores. */
  private static ClusterTopology cluster(int nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < nodes; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(1, GpuModel.of("V100"), Memory.ofGib(16))
              .cpu(CpuCores.of(node < 64 ? 3 : 5))
              .build());
    }
    return cluster.build();
  }
}
