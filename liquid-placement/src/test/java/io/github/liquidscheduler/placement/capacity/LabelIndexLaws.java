package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.Node;
import java.util.ArrayList;
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
      @ForAll @IntRange(max = 200) int count) {
    Random random = choices.random();
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      nodes.add(node("n" + node, labels(random)));
    }
    LabelIndex index = new LabelIndex(nodes);

    for (int asked = 0; asked < 10; asked++) {
      Map<String, String> labels = labels(random);
      labels.putIfAbsent("host", "n" + random.nextInt(count + 1));
      if (random.nextBoolean()) {
        labels.remove("host");
        labels.put("disk", "ssd");
      }
      assertThat(index.nodesWith(labels).stream())
          .containsExactlyElementsOf(
              IntStream.range(0, count)
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
