package io.github.liquidscheduler.lab.reference.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.lab.reference.pollux.NodeAllocation.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodePoolTest {

  @Test
  void theEmptiestNodesGiveFirst() {
    NodePool pool = new NodePool(3, 4, List.of(on(new Part(0, 1)), on(new Part(1, 3))));

    assertThat(pool.takeFromEmptiest(6)).isEqualTo(on(new Part(2, 4), new Part(0, 2)));
    assertThat(pool.takeFromEmptiest(2)).isEqualTo(on(new Part(0, 1), new Part(1, 1)));
  }

  @Test
  void noNodeGivesMoreThanItHas() {
    assertThatThrownBy(() -> new NodePool(1, 4, List.of(on(new Part(0, 5)))))
        .hasMessageContaining("node 0 lacked 1");
  }

  private static NodeAllocation on(Part... parts) {
    return new NodeAllocation(List.of(parts));
  }
}
