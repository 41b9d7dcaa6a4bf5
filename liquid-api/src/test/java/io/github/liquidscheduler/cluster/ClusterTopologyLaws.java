package io.github.liquidscheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
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
    assertThat(builtAgain(cluster)).isEqualTo(cluster).hasSameHashCodeAs(cluster);
    assertThat(cluster.withNodes(cluster.nodes())).isEqualTo(cluster);
  }

  @Property
  void nodesThatComeAndGoLeaveWhatABuilderWouldHaveMade(
      @ForAll("clusters") ClusterTopology cluster, @ForAll("changes") List<Integer> changes) {
    ClusterTopology changed = cluster;
    for (int step = 0; step < changes.size(); step++) {
      int change = changes.get(step);
      Node node = changed.nodes().get(change % changed.nodes().size());
      Node other = anotherLike(node, "new-" + step, changed, change);
      changed =
          change % 3 == 0 || changed.nodes().size() == 1
              ? changed.withNode(other, List.of())
              : changed.withoutNode(node.id());
      if (change % 4 == 1 && !changed.contains(node.id())) {
        changed = changed.withNode(node, List.of());
      }
      assertThat(changed.contains(node.id())).isEqualTo(changed.nodes().contains(node));
      assertThat(shown(changed)).isEqualTo(shown(builtAgain(changed)));
    }
  }

  private static Node anotherLike(Node node, String id, ClusterTopology cluster, int number) {
    List<Domain> domains = cluster.domains();
    Node.Builder other = Node.builder(id);
    if (!node.gpus().isEmpty()) {
      other.gpus(1 + number % 3, node.gpus().get(0).model(), node.gpus().get(0).memory());
    }
    int domain = number % (domains.size() + 1);
    return (domain == 0 ? other : other.domain(domains.get(domain - 1).id().value())).build();
  }

  private static ClusterTopology builtAgain(ClusterTopology cluster) {
    List<String> levels = cluster.levels();
    ClusterTopology.Builder again =
        ClusterTopology.builder()
            .levels(levels.subList(1, levels.size() - 1).toArray(String[]::new));
    cluster.domains().forEach(again::domain);
    return again.nodes(cluster.nodes()).build();
  }

  private static List<Object> shown(ClusterTopology cluster) {
    List<Object> all = new ArrayList<>(cluster.nodes());
    all.addAll(cluster.domains());
    all.add(cluster.gpusByModel().toString());
    cluster.domains().forEach(domain -> all.add(cluster.nodesOf(domain.id())));
    for (int position = 0; position < cluster.nodes().size(); position++) {
      all.add(cluster.position(cluster.nodes().get(position).id()));
      all.add(cluster.gpusBefore(position + 1));
    }
    return all;
  }

  @Provide
  Arbitrary<List<Integer>> changes() {
    return Arbitraries.integers().between(0, 1_000).list().ofMaxSize(60);
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
