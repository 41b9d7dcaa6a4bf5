package io.github.liquidscheduler.lab.baseline.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.baseline.grouping.NodePacking.Group;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked examples of Liquid's figures 7 to 9: nodes a to h with room for three tasks each. */
class GroupOperatorsTest {

  private static final List<String> TASKS =
      List.of("J1PS1", "J1W1", "J1W2", "J1W3", "J1W4", "J2PS1", "J2W1", "J2W2");

  private final GroupOperators operators =
      new GroupOperators((node, tasks, oneMore) -> tasks.size() < 3);

  private final NodePacking x =
      packing("a J1W1 J1W3 J2PS1", "b J1W4 J1PS1", "c J1W2 J2W1", "d J2W2");
  private final NodePacking y =
      packing("e J1W1 J1W3 J1PS1", "f J1W4 J2W1 J2W2", "g J1W2", "h J2PS1");

  @Test
  void aNodeOfOnePlanIsInsertedIntoAnother() {
    NodePacking child = operators.crossover(x, 2, y, 2);

    assertThat(show(child))
        .containsExactly("e J1W1 J1W3 J1PS1", "c J1W2 J2W1 J1W4", "h J2PS1 J2W2");
    assertThat(child.isWhole()).isTrue();
  }

  @Test
  void aNodeIsDeletedAndItsTasksGoElsewhere() {
    NodePacking child = operators.mutation(y, 2);

    assertThat(show(child))
        .containsExactly("e J1W1 J1W3 J1PS1", "f J1W4 J2W1 J2W2", "h J2PS1 J1W2");
    assertThat(child.isWhole()).isTrue();
  }

  @Test
  void whatFitsNowhereIsLost() {
    NodePacking child = operators.mutation(y, 1);

    assertThat(show(child))
        .containsExactly("e J1W1 J1W3 J1PS1", "g J1W2 J1W4 J2W1", "h J2PS1 J2W2");
    assertThat(operators.mutation(child, 1).isWhole()).isFalse();
    assertThat(operators.mutation(child, 1).lost())
        .extracting(TASKS::get)
        .containsExactly("J1W4", "J2W1");
  }

  @Test
  void aNodeThatIsThereAlreadyIsReplaced() {
    NodePacking same = packing("e J1W1 J1W3 J1PS1", "c J1W4 J2W2 J2W1", "g J1W2", "h J2PS1");

    assertThat(show(operators.crossover(x, 2, same, 4)))
        .containsExactly("e J1W1 J1W3 J1PS1", "h J2PS1 J1W4 J2W2", "c J1W2 J2W1");
  }

  private static NodePacking packing(String... nodes) {
    List<Group> groups = new ArrayList<>();
    for (String node : nodes) {
      List<String> words = List.of(node.split(" "));
      groups.add(
          new Group(
              words.get(0).charAt(0),
              words.subList(1, words.size()).stream().map(TASKS::indexOf).toList()));
    }
    return new NodePacking(groups, List.of());
  }

  private static List<String> show(NodePacking packing) {
    return packing.groups().stream()
        .map(
            group ->
                (char) group.node()
                    + " "
                    + String.join(" ", group.tasks().stream().map(TASKS::get).toList()))
        .toList();
  }
}
