package io.github.liquidscheduler.placement.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class NodeSlotsLaws {

  /** Even numbers put a node, odd ones take it away; many share a home. */
  @Property
  void slotsAreThoseOfAMap(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 300) Integer> changes) {
    NodeSlots slots = new NodeSlots();
    Map<Integer, Integer> expected = new HashMap<>();
    for (int i = 0; i < changes.size(); i++) {
      int node = changes.get(i) / 2 * 8;
      if (changes.get(i) % 2 == 0) {
        slots.put(node, i);
        expected.put(node, i);
      } else {
        slots.remove(node);
        expected.remove(node);
      }
    }

    for (int node = 0; node <= 150 * 8; node++) {
      assertThat(slots.of(node)).isEqualTo(expected.getOrDefault(node, -1));
    }
  }
}
