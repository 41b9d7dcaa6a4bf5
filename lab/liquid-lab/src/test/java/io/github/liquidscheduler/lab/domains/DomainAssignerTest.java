package io.github.liquidscheduler.lab.domains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.lab.domains.DomainAssignment.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DomainAssignerTest {

  private static final Map<String, Long> ONE_GPU = Map.of("gpu", 1L);

  /** Two racks of different sizes, each host written as rack/host with its free GPUs. */
  private static final List<NodeCapacity> TWO_RACKS =
      nodes("r1/a=4", "r1/b=4", "r2/c=2", "r2/d=2", "r2/e=1");

  private static List<NodeCapacity> nodes(String... texts) {
    return Arrays.stream(texts).map(DomainAssignerTest::node).toList();
  }

  private static NodeCapacity node(String text) {
    String[] halves = text.split("=", -1);
    return new NodeCapacity(
        List.of(halves[0].split("/", -1)), Map.of("gpu", Long.valueOf(halves[1])));
  }

  private static DomainRule rule(TopologyConstraint constraint) {
    return DomainRule.of(constraint);
  }

  private static DomainRule balanced(String level) {
    return new DomainRule(DomainRule.Reach.PREFERRED, Optional.of(level), List.of(), true);
  }

  private static Map<String, Integer> tasks(DomainAssignment assignment) {
    Map<String, Integer> tasks = new TreeMap<>();
    assignment.parts().forEach(part -> tasks.put(part.path().get(1), part.tasks()));
    return tasks;
  }

  private static Optional<Map<String, Integer>> assign(
      List<NodeCapacity> nodes, int count, DomainRule rule) {
    return new DomainAssigner(List.of("rack", "host"), nodes)
        .assign(TaskGroup.of(count, ONE_GPU), rule)
        .map(DomainAssignerTest::tasks);
  }

  @Test
  void amongRacksThatHoldAllTheSmallestIsTaken() {
    assertThat(assign(TWO_RACKS, 4, rule(TopologyConstraint.required("rack"))))
        .contains(Map.of("c", 2, "d", 2));
  }

  @Test
  void theLastTasksGoToTheHostWithTheLeastCapacity() {
    assertThat(assign(TWO_RACKS, 3, rule(TopologyConstraint.required("rack"))))
        .contains(Map.of("c", 2, "e", 1));
  }

  @Test
  void whatNoDomainHoldsIsNotPlacedIfOneIsRequired() {
    assertThat(assign(TWO_RACKS, 9, rule(TopologyConstraint.required("rack")))).isEmpty();
  }

  @Test
  void aPreferenceThatCannotBeMetIsWidened() {
    assertThat(assign(TWO_RACKS, 5, rule(TopologyConstraint.preferred("host"))))
        .contains(Map.of("c", 2, "d", 2, "e", 1));
  }

  @Test
  void whatNoRackHoldsGoesToSeveralIfOneIsOnlyPreferred() {
    assertThat(assign(TWO_RACKS, 9, rule(TopologyConstraint.preferred("rack"))))
        .contains(Map.of("a", 4, "b", 4, "e", 1));
  }

  @Test
  void withoutAPreferenceTheHostsWithTheLeastCapacityAreFilled() {
    assertThat(assign(TWO_RACKS, 7, rule(TopologyConstraint.NONE)))
        .contains(Map.of("e", 1, "c", 2, "d", 2, "a", 2));
  }

  @Test
  void aSliceStaysOnOneHost() {
    assertThat(
            assign(
                nodes("r1/a=3", "r1/b=3"),
                4,
                rule(TopologyConstraint.required("rack").andSlices(2, "host"))))
        .contains(Map.of("a", 2, "b", 2));
  }

  @Test
  void tasksThatAreNoWholeSlicesAreNotPlaced() {
    assertThat(assign(TWO_RACKS, 3, rule(TopologyConstraint.NONE.andSlices(2, "host")))).isEmpty();
  }

  @Test
  void slicesOfSlicesStayTogetherAtBothLevels() {
    DomainRule nested =
        new DomainRule(
            DomainRule.Reach.SLICES_ONLY,
            Optional.empty(),
            List.of(new Slices(4, "rack"), new Slices(2, "host")),
            false);

    assertThat(assign(nodes("r1/a=3", "r1/b=3", "r2/c=3", "r2/d=1"), 4, nested))
        .contains(Map.of("a", 2, "b", 2));
    assertThat(assign(nodes("r1/a=3", "r1/b=1"), 4, nested)).isEmpty();
  }

  @Test
  void aLeaderGoesWhereItCostsTheFewestTasks() {
    TaskGroup group = new TaskGroup(4, Map.of("gpu", 2L), Optional.of(ONE_GPU));
    DomainAssignment assignment =
        new DomainAssigner(List.of("rack", "host"), nodes("r/a=2", "r/b=4", "r/c=3"))
            .assign(group, rule(TopologyConstraint.required("rack")))
            .orElseThrow();

    assertThat(assignment.leader()).contains(List.of("r", "c"));
    assertThat(tasks(assignment)).isEqualTo(Map.of("a", 1, "b", 2, "c", 1));
  }

  @Test
  void aRackThatHoldsTheTasksButNotTheLeaderIsNotTaken() {
    TaskGroup group = new TaskGroup(2, ONE_GPU, Optional.of(Map.of("gpu", 3L)));
    DomainAssignment assignment =
        new DomainAssigner(List.of("rack", "host"), nodes("r1/a=2", "r2/b=5"))
            .assign(group, rule(TopologyConstraint.required("rack")))
            .orElseThrow();

    assertThat(tasks(assignment)).isEqualTo(Map.of("b", 2));
  }

  @Test
  void aBalancedGroupIsSpreadEvenlyOverTheFewestHosts() {
    assertThat(assign(nodes("r1/a=5", "r1/b=5", "r1/c=5"), 7, balanced("host")))
        .contains(Map.of("a", 4, "b", 3));
  }

  @Test
  void ofTwoRacksTheOneThatIsMoreEvenIsTakenForABalancedGroup() {
    assertThat(
            assign(nodes("r1/a=10", "r1/b=5", "r2/c=5", "r2/d=5", "r2/e=5"), 15, balanced("rack")))
        .contains(Map.of("c", 5, "d", 5, "e", 5));
  }

  @Test
  void whatCannotBeBalancedIsPlacedAllTheSame() {
    assertThat(assign(nodes("r1/a=1", "r2/b=1"), 2, balanced("host")))
        .contains(Map.of("a", 1, "b", 1));
  }

  @Test
  void tasksOfAFailedHostStayInTheRackOfTheOthers() {
    List<NodeCapacity> free = nodes("r1/a=0", "r1/b=0", "r1/c=1", "r2/d=1");
    DomainAssignment before =
        new DomainAssignment(
            List.of(new Part(List.of("r1", "a"), 1), new Part(List.of("r1", "b"), 1)),
            Optional.empty());
    DomainAssigner assigner = new DomainAssigner(List.of("rack", "host"), free);

    assertThat(
            assigner
                .replace(
                    before,
                    List.of("r1", "a"),
                    TaskGroup.of(2, ONE_GPU),
                    rule(TopologyConstraint.required("rack")))
                .map(DomainAssignerTest::tasks))
        .contains(Map.of("b", 1, "c", 1));
  }

  @Test
  void aSliceThatBrokeIsMendedWhereItWas() {
    List<NodeCapacity> free = nodes("r1/a=0", "r1/b=0", "r1/c=0", "r2/d=1");
    DomainAssignment before =
        new DomainAssignment(
            List.of(new Part(List.of("r1", "a"), 1), new Part(List.of("r1", "b"), 1)),
            Optional.empty());
    DomainAssigner assigner = new DomainAssigner(List.of("rack", "host"), free);

    assertThat(
            assigner.replace(
                before,
                List.of("r1", "a"),
                TaskGroup.of(2, ONE_GPU),
                rule(TopologyConstraint.NONE.andSlices(2, "rack"))))
        .isEmpty();
  }

  @Test
  void theLossOfAHostWithoutTasksChangesNothing() {
    DomainAssignment before =
        new DomainAssignment(List.of(new Part(List.of("r1", "a"), 1)), Optional.empty());

    assertThat(
            new DomainAssigner(List.of("rack", "host"), TWO_RACKS)
                .replace(
                    before,
                    List.of("r2", "c"),
                    TaskGroup.of(1, ONE_GPU),
                    rule(TopologyConstraint.NONE)))
        .contains(before);
  }

  @Test
  void aLevelThatIsNotThereIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assign(TWO_RACKS, 1, rule(TopologyConstraint.required("row"))))
        .withMessageContaining("'row'");
  }

  @Test
  void aNodeOutsideOfALevelIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assign(nodes("a=1"), 1, rule(TopologyConstraint.NONE)))
        .withMessageContaining("each of 2 levels");
  }

  @Test
  void aGroupWithoutTasksIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> TaskGroup.of(0, ONE_GPU));
  }
}
