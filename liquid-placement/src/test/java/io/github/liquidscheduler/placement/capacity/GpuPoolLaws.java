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
import java.util.function.IntPredicate;
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
      long memory = random.nextInt(3);
      if (index.freeCpu(node) >= cpu && index.freeMemory(node) >= memory) {
        index.take(new Holding.Amounts(node, new int[0], 1000, 0, cpu, memory));
        index.tighten(node);
      }
    }
    long cpu = 1000L * random.nextInt(6);
    long memory = random.nextInt(6);
    int from = random.nextInt(pool.size());
    int end = from + random.nextInt(pool.size() - from + 1);
    List<Integer> found = new ArrayList<>();
    for (int slot = pool.next(1, from, end, cpu, memory);
        slot >= 0;
        slot = pool.next(1, slot + 1, end, cpu, memory)) {
      found.add(slot);
    }

    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(from, end)
                .filter(slot -> blockHas(pool, slot, node -> index.freeCpu(node) >= cpu))
                .filter(slot -> blockHas(pool, slot, node -> index.freeMemory(node) >= memory))
                .boxed()
                .toList());
  }

  /** Returns true if any node of the 64 slots around a slot has enough. */
  private static boolean blockHas(GpuPool pool, int slot, IntPredicate hasEnough) {
    int first = slot / 64 * 64;
    return IntStream.range(first, Math.min(first + 64, pool.size()))
        .map(pool::nodeOf)
        .anyMatch(hasEnough);
  }

  @Property
  void findsThePartlyFreeGpusByHowMuchOfThemIs(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    ClusterTopology.Builder nodes = ClusterTopology.builder();
    for (int node = random.nextInt(9); node >= 0; node--) {
      nodes.node(Node.builder("n" + node).gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build());
    }
    CapacityIndex index = ClusterState.of(nodes.build()).index();
    GpuPool pool = index.pools().getFirst();
    for (int taken = random.nextInt(20); taken > 0; taken--) {
      int node = random.nextInt(pool.size());
      int gpu = random.nextInt(2);
      int share = List.of(100, 250, 500, 999, 1000).get(random.nextInt(5));
      if (index.freeShare(node, gpu) >= share) {
        index.take(new Holding.Amounts(node, new int[] {gpu}, share, 0, 0, 0));
      }
    }

    for (int step = 0; step < pool.shareSteps(); step++) {
      int wanted = step;
      assertThat(partial(pool, step))
          .containsExactlyElementsOf(
              IntStream.range(0, pool.size())
                  .filter(slot -> largestPart(index, slot) > 0)
                  .filter(slot -> largestPart(index, slot) / 100 == wanted)
                  .boxed()
                  .toList());
    }
    int share = List.of(1, 100, 250, 500, 750, 900).get(random.nextInt(6));
    for (int slot = 0; slot < pool.size(); slot++) {
      assertThat(pool.mostWith(share, slot))
          .isEqualTo(largestPart(index, slot) >= share ? pool.maxFree() : pool.free(slot));
    }
  }

  private static List<Integer> partial(GpuPool pool, int step) {
    List<Integer> found = new ArrayList<>();
    for (int slot = pool.nextPartial(step, 0, pool.size(), 0, 0);
        slot >= 0;
        slot = pool.nextPartial(step, slot + 1, pool.size(), 0, 0)) {
      found.add(slot);
    }
    return found;
  }

  /** Returns the largest free share of a GPU that somebody holds a part of; 0 if there is none. */
  private static int largestPart(CapacityIndex index, int node) {
    return IntStream.range(0, 2)
        .map(gpu -> index.freeShare(node, gpu))
        .filter(free -> free < GpuPool.WHOLE)
        .max()
        .orElse(0);
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

  /** Returns nodes of one GPU, of three or five cores and of three or five bytes. */
  private static ClusterTopology cluster(int nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < nodes; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(1, GpuModel.of("V100"), Memory.ofGib(16))
              .cpu(CpuCores.of(node < 64 ? 3 : 5))
              .memory(new Memory(node < 128 ? 5 : 3))
              .build());
    }
    return cluster.build();
  }
}
