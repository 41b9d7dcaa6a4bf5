package io.github.liquidscheduler.lab.domains;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class DomainAssignerLaws {

  private static final List<String> LEVELS = List.of("block", "rack", "host");

  private static List<NodeCapacity> cluster(List<Integer> free) {
    List<NodeCapacity> nodes = new ArrayList<>();
    for (int host = 0; host < free.size(); host++) {
      List<String> path = List.of("b" + host / 4, "r" + host / 2, "h" + host);
      nodes.add(new NodeCapacity(path, Map.of("gpu", (long) free.get(host))));
    }
    return nodes;
  }

  private static TaskGroup group(int tasks, boolean leader) {
    Map<String, Long> one = Map.of("gpu", 1L);
    return new TaskGroup(tasks, one, leader ? Optional.of(one) : Optional.empty());
  }

  private static DomainRule rule(DomainRule.Reach reach, int level, int slice, boolean balanced) {
    List<Slices> slices = slice == 1 ? List.of() : List.of(new Slices(slice, "host"));
    return new DomainRule(reach, Optional.of(LEVELS.get(level)), slices, balanced);
  }

  @Property(tries = 500)
  void everyTaskIsPlacedWhereItFits(
      @ForAll @Size(min = 1, max = 10) List<@IntRange(max = 6) Integer> free,
      @ForAll @IntRange(min = 1, max = 20) int tasks,
      @ForAll DomainRule.Reach reach,
      @ForAll @IntRange(max = 2) int level,
      @ForAll @IntRange(min = 1, max = 3) int slice,
      @ForAll boolean leader,
      @ForAll boolean balanced) {
    List<NodeCapacity> nodes = cluster(free);
    Optional<DomainAssignment> placed =
        new DomainAssigner(LEVELS, nodes)
            .assign(group(tasks, leader), rule(reach, level, slice, balanced));

    placed.ifPresent(
        assignment -> {
          assertThat(assignment.tasks()).isEqualTo(tasks);
          assertThat(assignment.leader().isPresent()).isEqualTo(leader);
          Map<List<String>, Integer> used = used(assignment);
          nodes.forEach(
              node ->
                  assertThat((long) used.getOrDefault(node.path(), 0))
                      .isLessThanOrEqualTo(node.free().get("gpu")));
          assertThat(assignment.parts()).allMatch(part -> part.tasks() % slice == 0);
        });
  }

  private static Map<List<String>, Integer> used(DomainAssignment assignment) {
    Map<List<String>, Integer> used = new TreeMap<>(DomainCapacity::comparePaths);
    assignment.parts().forEach(part -> used.merge(part.path(), part.tasks(), Integer::sum));
    assignment.leader().ifPresent(path -> used.merge(path, 1, Integer::sum));
    return used;
  }

  @Property(tries = 500)
  void aGroupIsPlacedInOneDomainIfAndOnlyIfOneHoldsIt(
      @ForAll @Size(min = 1, max = 10) List<@IntRange(max = 6) Integer> free,
      @ForAll @IntRange(min = 1, max = 20) int tasks,
      @ForAll @IntRange(max = 2) int level) {
    List<NodeCapacity> nodes = cluster(free);
    Map<List<String>, Long> capacity = new TreeMap<>(DomainCapacity::comparePaths);
    nodes.forEach(
        node ->
            capacity.merge(node.path().subList(0, level + 1), node.free().get("gpu"), Long::sum));
    Optional<DomainAssignment> placed =
        new DomainAssigner(LEVELS, nodes)
            .assign(group(tasks, false), rule(DomainRule.Reach.REQUIRED, level, 1, false));

    assertThat(placed.isPresent())
        .isEqualTo(capacity.values().stream().anyMatch(amount -> amount >= tasks));
    placed.ifPresent(
        assignment ->
            assertThat(
                    assignment.parts().stream()
                        .map(part -> part.path().subList(0, level + 1))
                        .distinct())
                .hasSize(1));
  }

  @Property(tries = 500)
  void aPreferenceNeverKeepsAGroupFromBeingPlaced(
      @ForAll @Size(min = 1, max = 10) List<@IntRange(max = 6) Integer> free,
      @ForAll @IntRange(min = 1, max = 20) int tasks,
      @ForAll @IntRange(max = 2) int level,
      @ForAll boolean leader,
      @ForAll boolean balanced) {
    int capacity = free.stream().mapToInt(Integer::intValue).sum();
    Optional<DomainAssignment> placed =
        new DomainAssigner(LEVELS, cluster(free))
            .assign(group(tasks, leader), rule(DomainRule.Reach.PREFERRED, level, 1, balanced));

    assertThat(placed.isPresent()).isEqualTo(capacity >= tasks + (leader ? 1 : 0));
  }
}
