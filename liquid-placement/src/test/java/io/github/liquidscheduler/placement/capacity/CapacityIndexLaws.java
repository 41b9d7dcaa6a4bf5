package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What the index counts is what a look at every GPU counts. */
class CapacityIndexLaws {

  private static final List<NodeHealth> HEALTHS = List.of(NodeHealth.values());

  @Property
  void countsTheFreeGpusOfANodeInSomePools(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    CapacityIndex index = changed(random);
    boolean[] inPools = new boolean[index.pools().size()];
    for (int pool = 0; pool < inPools.length; pool++) {
      inPools[pool] = random.nextBoolean();
    }

    for (int node = 0; node < nodes(index).size(); node++) {
      int at = node;
      boolean isThere =
          nodes(index).get(node).gpus().isEmpty()
              ? inPools[poolWithoutGpus(index)]
              : gpus(index, node).anyMatch(gpu -> inPools[index.poolOf(at, gpu)]);
      long free =
          gpus(index, node)
              .filter(gpu -> inPools[index.poolOf(at, gpu)] && !index.isLost(at, gpu))
              .filter(gpu -> index.freeShare(at, gpu) == GpuPool.WHOLE)
              .count();
      boolean isUp = index.health(node) == NodeHealth.UP;
      assertThat(index.freeGpus(node, inPools)).isEqualTo(isThere && isUp ? free : -1);
    }
  }

  @Property
  void findsTheNodesThatHaveAnyOfAGpu(@ForAll(supplier = Choices.Any.class) Choices choices) {
    CapacityIndex index = changed(choices.random());
    int expected = -1;
    for (int node = nodes(index).size() - 1; node >= 0; node--) {
      int at = node;
      boolean hasAny =
          gpus(index, node).anyMatch(gpu -> index.freeShare(at, gpu) > 0 && !index.isLost(at, gpu));
      expected = hasAny && index.health(node) == NodeHealth.UP ? node : expected;
      assertThat(index.nextWithFreeGpu(node)).isEqualTo(expected);
      assertThat(index.hasFreeGpu(node)).isEqualTo(expected == node);
    }
  }

  @Property
  void knowsWhetherAnyNodeIsDraining(@ForAll(supplier = Choices.Any.class) Choices choices) {
    CapacityIndex index = changed(choices.random());
    boolean isAnyDraining =
        IntStream.range(0, nodes(index).size())
            .anyMatch(node -> index.health(node) == NodeHealth.DRAINING);
    assertThat(index.isAnyDraining()).isEqualTo(isAnyDraining);
    assertThat(index.copy().isAnyDraining()).isEqualTo(isAnyDraining);
  }

  @Property
  void aPoolIsOfGpusOfOneModelAndMemory(@ForAll(supplier = Choices.Any.class) Choices choices) {
    CapacityIndex index = changed(choices.random());
    for (int node = 0; node < nodes(index).size(); node++) {
      List<Gpu> gpus = nodes(index).get(node).gpus();
      for (int gpu = 0; gpu < gpus.size(); gpu++) {
        GpuPool pool = index.pools().get(index.poolOf(node, gpu));
        assertThat(pool.model()).contains(gpus.get(gpu).model());
        assertThat(pool.memory()).isEqualTo(gpus.get(gpu).memory());
        assertThat(index.nvlinkGroup(node, gpu)).isEqualTo(gpus.get(gpu).nvlinkGroup());
        for (GpuPool each : index.pools()) {
          boolean isWhole = index.freeShare(node, gpu) == GpuPool.WHOLE;
          assertThat(index.isOf(each, node, gpu)).isEqualTo(each == pool);
          assertThat(index.isFree(each, node, gpu))
              .isEqualTo(each == pool && isWhole && !index.isLost(node, gpu));
        }
      }
    }
  }

  private static List<Node> nodes(CapacityIndex index) {
    return index.topology().nodes();
  }

  private static IntStream gpus(CapacityIndex index, int node) {
    return IntStream.range(0, index.gpus(node));
  }

  private static int poolWithoutGpus(CapacityIndex index) {
    return IntStream.range(0, index.pools().size())
        .filter(pool -> index.pools().get(pool).model().isEmpty())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the index of a cluster of some GPUs, of which some are held, lost or not up. */
  private static CapacityIndex changed(Random random) {
    ClusterState state = ClusterState.of(cluster(random));
    CapacityIndex index = state.index();
    for (int step = random.nextInt(30); step > 0; step--) {
      int node = random.nextInt(nodes(index).size());
      NodeHealth health = HEALTHS.get(random.nextInt(3));
      if (random.nextInt(5) == 0) {
        index.isAnyDraining();
        state.setHealth(nodes(index).get(node).id(), health);
      } else if (index.gpus(node) > 0) {
        int gpu = random.nextInt(index.gpus(node));
        int share = List.of(300, 500, 1000).get(random.nextInt(3));
        if (random.nextInt(5) == 0) {
          state.fail(new GpuId(nodes(index).get(node).id(), gpu));
        } else if (index.freeShare(node, gpu) >= share) {
          index.take(new Holding.Amounts(node, new int[] {gpu}, share, 0, 0, 0));
        }
      }
    }
    return index;
  }

  private static ClusterTopology cluster(Random random) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = random.nextInt(6); node >= 0; node--) {
      Node.Builder next = Node.builder("n" + node).cpu(CpuCores.of(4));
      for (int kind = random.nextInt(3); kind > 0; kind--) {
        GpuModel model = GpuModel.of(random.nextBoolean() ? "A100" : "V100");
        Memory memory = Memory.ofGib(random.nextBoolean() ? 40 : 80);
        for (int gpu = random.nextInt(3); gpu >= 0; gpu--) {
          next.gpu(new Gpu(model, memory, random.nextInt(2), 0));
        }
      }
      cluster.node(next.build());
    }
    return cluster.build();
  }
}
