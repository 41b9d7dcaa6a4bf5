package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LabelIndexLaws {

  @Property(tries = 300)
  void theNodesFoundAreThoseThatCarryAllLabels(
      @ForAll(supplier = Choices.Any.class) Choices choices,
      @ForAll @IntRange(min = 1, max = 200) int count) {
    Random random = choices.random();
    ClusterTopology cluster = cluster(random, count);
    ask(LabelIndex.of(cluster), cluster, random);
  }

  @Property(tries = 300)
  void nodesThatComeAndGoAreFoundByTheirLabels(
      @ForAll(supplier = Choices.Any.class) Choices choices,
      @ForAll @IntRange(min = 1, max = 100) int count) {
    Random random = choices.random();
    ClusterTopology cluster = cluster(random, count);
    LabelIndex index = LabelIndex.of(cluster);
    for (int step = 0; step < 10; step++) {
      boolean comes = random.nextBoolean() || cluster.nodes().size() == 1;
      Node node =
          comes
              ? node("later-" + step, labels(random))
              : cluster.nodes().get(random.nextInt(cluster.nodes().size()));
      ClusterTopology changed =
          comes ? cluster.withNode(node, List.of()) : cluster.withoutNode(node.id());
      LabelIndex next = index.in(changed, before(cluster, changed), gone(cluster, changed));
      ask(next, changed, random);
      ask(index, cluster, random);
      index = next;
      cluster = changed;
    }
  }

  private static int[] before(ClusterTopology then, ClusterTopology now) {
    return now.nodes().stream()
        .map(Node::id)
        .mapToInt(node -> then.contains(node) ? then.position(node) : -1)
        .toArray();
  }

  private static IntStream gone(ClusterTopology then, ClusterTopology now) {
    return IntStream.range(0, then.nodes().size())
        .filter(node -> !now.contains(then.nodes().get(node).id()));
  }

  private static ClusterTopology cluster(Random random, int count) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < count; node++) {
      cluster.node(node("n" + node, labels(random)));
    }
    return cluster.build();
  }

  private static void ask(LabelIndex index, ClusterTopology cluster, Random random) {
    List<Node> nodes = cluster.nodes();
    for (int asked = 0; asked < 10; asked++) {
      Map<String, String> labels = labels(random);
      labels.putIfAbsent("host", "n" + random.nextInt(nodes.size() + 1));
      if (random.nextBoolean()) {
        labels.remove("host");
        labels.put("disk", "ssd");
      }
      assertThat(index.nodesWith(labels).stream())
          .containsExactlyElementsOf(
              IntStream.range(0, nodes.size())
                  .filter(node -> carries(nodes.get(node), labels))
                  .boxed()
                  .toList());
    }
  }

  private static boolean carries(Node node, Map<String, String> labels) {
    return node.labels().entrySet().containsAll(labels.entrySet());
  }

  private static Node node(String id, Map<String, String> labels) {
    Node.Builder node = Node.builder(id).label("host", id);
    labels.forEach(node::label);
    return node.build();
  }

  private static Map<String, String> labels(Random random) {
    Map<String, String> labels = new TreeMap<>();
    if (random.nextBoolean()) {
      labels.put("disk", random.nextInt(3) == 0 ? "hdd" : "ssd");
    }
    if (random.nextInt(3) == 0) {
      labels.put("rack", "r" + random.nextInt(40));
    }
    return labels;
  }
}
