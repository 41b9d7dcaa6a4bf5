package io.github.liquidscheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class NodeLaws {

  @Property
  void aNodeThatIsBuiltAgainIsTheSame(@ForAll("clusters") ClusterTopology cluster) {
    for (Node node : cluster.nodes()) {
      assertThat(node.toBuilder().build()).isEqualTo(node);
    }
  }

  @Provide
  Arbitrary<ClusterTopology> clusters() {
    return ClusterArbitraries.clusters();
  }
}
