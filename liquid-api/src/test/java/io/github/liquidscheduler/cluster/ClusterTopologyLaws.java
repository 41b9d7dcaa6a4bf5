package io.github.liquidscheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ClusterTopologyLaws {

  @Property
  void domainsOfOneLevelShareNoNode(@ForAll("clusters") ClusterTopology cluster) {
    for (String level : cluster.levels()) {
      List<NodeRange> ranges = rangesOf(cluster, level);
      for (int i = 1; i < ranges.size(); i++) {
        assertThat(ranges.get(i - 1).end()).isLessThanOrEqualTo(ranges.get(i).first());
      }
    }
  }

  @Property
  void aDomainHasTheNodesThatHangOnItOrBelow(@ForAll("clusters") ClusterTopology cluster) {
    for (Domain domain : cluster.domains()) {
      NodeRange range = cluster.nodesOf(domain.id());
      for (int i = 0; i < cluster.nodes().size(); i++) {
        assertThat(range.contains(i)).isEqualTo(hangsOn(cluster, cluster.nodes().get(i), domain));
      }
    }
  }

  @Property
  void aDomainLiesWithinItsParent(@ForAll("clusters") ClusterTopology cluster) {
    for (Domain domain : cluster.domains()) {
      NodeRange range = cluster.nodesOf(domain.id());
      domain
          .parent()
          .map(cluster::nodesOf)
          .ifPresent(wider -> assertThat(range.within(wider)).isEqualTo(range));
    }
  }

  @Property
  void theDomainOfANodeIsTheOneOfThatLevelWithTheNode(@ForAll("clusters") ClusterTopology cluster) {
    for (Node node : cluster.nodes()) {
      for (String level : cluster.levels()) {
        Optional<Domain> expected =
            cluster.domains().stream()
                .filter(domain -> domain.level().equals(level))
                .filter(d -> cluster.nodesOf(d.id()).contains(cluster.position(node.id())))
                .findFirst();
        assertThat(cluster.domainOf(node.id(), level)).isEqualTo(expected);
      }
    }
  }

  @Property
  void aDomainComesAfterItsParent(@ForAll("clusters") ClusterTopology cluster) {
    for (int i = 0; i < cluster.domains().size(); i++) {
      List<DomainId> before = cluster.domains().subList(0, i).stream().map(Domain::id).toList();
      assertThat(cluster.domains().get(i).parent())
          .satisfies(p -> p.ifPresent(id -> assertThat(before).contains(id)));
    }
  }

  @Property
  void gpusAreCountedOnce(@ForAll("clusters") ClusterTopology cluster) {
    int all = cluster.nodes().stream().mapToInt(node -> node.gpus().size()).sum();

    assertThat(cluster.gpuCount()).isEqualTo(all);
    assertThat(cluster.gpusByModel().values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(all);
    IntStream.range(0, cluster.nodes().size())
        .forEach(
            i ->
                assertThat(cluster.gpusBefore(i + 1) - cluster.gpusBefore(i))
                    .isEqualTo(cluster.nodes().get(i).gpus().size()));
  }

  @Property
  void buildingAgainInTheOrderOfTheWalkChangesNothing(@ForAll("clusters") ClusterTopology cluster) {
    ClusterTopology.Builder again = ClusterTopology.builder();
    List<String> levels = cluster.levels();
    again.levels(levels.subList(1, levels.size() - 1).toArray(String[]::new));
    cluster.domains().forEach(again::domain);

    assertThat(again.nodes(cluster.nodes()).build()).isEqualTo(cluster).hasSameHashCodeAs(cluster);
  }

  private static List<NodeRange> rangesOf(ClusterTopology cluster, String level) {
    return cluster.domains().stream()
        .filter(domain -> domain.level().equals(level))
        .map(domain -> cluster.nodesOf(domain.id()))
        .toList();
  }

  private static boolean hangsOn(ClusterTopology cluster, Node node, Domain domain) {
    Optional<DomainId> at = node.domain();
    while (at.isPresent() && !at.get().equals(domain.id())) {
      at = cluster.domain(at.get()).parent();
    }
    return at.isPresent();
  }

  @Provide
  Arbitrary<ClusterTopology> clusters() {
    return ClusterArbitraries.clusters();
  }
}
