package io.github.liquidscheduler.lab.baseline.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.lab.baseline.grouping.GpuAssignment.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class GpuAssignmentTest {

  @Test
  void whoComesFirstTakesTheFirst() {
    List<Integer> all = List.of(2, 3, 5);

    assertThat(GpuAssignment.of(List.of(new Ask(1, all), new Ask(2, all))))
        .containsExactly(List.of(2), List.of(3, 5));
  }

  @Test
  void whoCouldHaveAnotherLeavesTheOneThatOnlyOneCanUse() {
    assertThat(GpuAssignment.of(List.of(new Ask(1, List.of(0, 1)), new Ask(1, List.of(0)))))
        .containsExactly(List.of(1), List.of(0));
  }

  @Test
  void tasksWithoutGpusNeedNone() {
    assertThat(GpuAssignment.of(List.of(new Ask(0, List.of()), new Ask(1, List.of(4)))))
        .containsExactly(List.of(), List.of(4));
  }

  @Test
  void thoseThatLackOneGetNone() {
    assertThat(GpuAssignment.of(List.of(new Ask(1, List.of(0)), new Ask(1, List.of(0))))).isNull();
    assertThat(GpuAssignment.of(List.of(new Ask(1, List.of(0)), new Ask(2, List.of(0, 1)))))
        .isNull();
  }

  @Property
  void everybodyHasTheirsIfAnyWayToShareThemOutExists(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    List<Ask> asks =
        IntStream.range(0, 1 + random.nextInt(4)).mapToObj(task -> ask(random)).toList();

    List<List<Integer>> assigned = GpuAssignment.of(asks);

    assertThat(assigned != null).isEqualTo(canBeShared(asks, 0, 0, List.of()));
    for (int task = 0; assigned != null && task < asks.size(); task++) {
      assertThat(asks.get(task).allowed()).containsAll(assigned.get(task));
      assertThat(assigned.get(task)).hasSize(asks.get(task).gpus()).isSorted();
    }
    assertThat(assigned == null ? List.of() : assigned.stream().flatMap(List::stream).toList())
        .doesNotHaveDuplicates();
  }

  private static Ask ask(Random random) {
    return new Ask(
        random.nextInt(3),
        IntStream.range(0, 6).filter(gpu -> random.nextBoolean()).boxed().toList());
  }

  /** Tries every way to give out GPUs one by one. */
  private static boolean canBeShared(List<Ask> asks, int task, int given, List<Integer> taken) {
    if (task == asks.size()) {
      return true;
    }
    if (given == asks.get(task).gpus()) {
      return canBeShared(asks, task + 1, 0, taken);
    }
    for (int gpu : asks.get(task).allowed()) {
      if (!taken.contains(gpu)) {
        List<Integer> more = new ArrayList<>(taken);
        more.add(gpu);
        if (canBeShared(asks, task, given + 1, more)) {
          return true;
        }
      }
    }
    return false;
  }
}
