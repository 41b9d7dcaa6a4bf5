package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class NodeSetLaws {

  private static final List<Node> NODES = IntStream.range(0, 6).mapToObj(n -> node(n)).toList();

  /** Nodes come and go, change their places, or are replaced under their names. */
  @Property
  void itIsTheSameWhereverItsNodesStand(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 35) Integer> tasks,
      @ForAll Random random) {
    ClusterTopology topology = cluster(NODES);
    Placement placement = placement(tasks);
    NodeSet set = new NodeSet(placement, topology);
    for (int change = 0; change < 3; change++) {
      List<Node> nodes = new ArrayList<>(topology.nodes());
      Node moved = nodes.remove(random.nextInt(nodes.size()));
      boolean isReplaced = random.nextBoolean();
      nodes.add(random.nextInt(nodes.size() + 1), isReplaced ? replacement(moved) : moved);
      topology = cluster(nodes);
      set = set.in(topology);

      assertThat(set.isIn(topology)).isTrue();
      assertHoldsAsMuch(set, new NodeSet(placement, topology), topology);
    }
  }

  private static void assertHoldsAsMuch(NodeSet set, NodeSet other, ClusterTopology topology) {
    NodeSet.Amounts amounts = new NodeSet.Amounts(topology.nodes().size());
    NodeSet.Amounts expected = new NodeSet.Amounts(topology.nodes().size());
    set.addTo(amounts, 1);
    other.addTo(expected, 1);
    for (int node = 0; node < topology.nodes().size(); node++) {
      assertThat(amounts.gpus(node)).isEqualTo(expected.gpus(node));
      assertThat(amounts.shared(node)).isEqualTo(expected.shared(node));
      assertThat(amounts.share(node)).isEqualTo(expected.share(node));
      assertThat(amounts.cpu(node)).isEqualTo(expected.cpu(node));
      assertThat(amounts.memory(node)).isEqualTo(expected.memory(node));
    }
    for (int gpu = 0; gpu < topology.gpuCount(); gpu++) {
      assertThat(amounts.shareOfGpu(gpu)).isEqualTo(expected.shareOfGpu(gpu));
    }
    set.addTo(amounts, -1);
    for (int node = 0; node < topology.nodes().size(); node++) {
      assertThat(amounts.gpus(node) + amounts.shared(node) + amounts.share(node)).isZero();
      assertThat(amounts.cpu(node) + amounts.memory(node)).isZero();
    }
  }

  private static Placement placement(List<Integer> tasks) {
    List<TaskPlacement> placed = new ArrayList<>();
    for (int task : tasks) {
      ResourceRequest.Builder request =
          ResourceRequest.builder().gpus(1).cpu(CpuCores.of(task)).memory(Memory.ofGib(task));
      ResourceRequest asked =
          task < 18 ? request.share(GpuShare.ofThousandths(250)).build() : request.build();
      TaskId id = new TaskId("worker", placed.size());
      NodeId node = NODES.get(task % NODES.size()).id();
      placed.add(new TaskPlacement(id, node, List.of(0), asked));
    }
    return new Placement(JobId.of("job"), placed);
  }

  private static ClusterTopology cluster(List<Node> nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    nodes.forEach(cluster::node);
    return cluster.build();
  }

  private static Node replacement(Node node) {
    return node(node.gpus().size() - 1);
  }

  /** Returns a node with one GPU more than the one before it. */
  private static Node node(int number) {
    return Node.builder("n" + number)
        .gpus(1 + number, GpuModel.of("V100"), Memory.ofGib(16))
        .cpu(CpuCores.of(64))
        .memory(Memory.ofGib(64))
        .build();
  }
}
