package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ArrivalListLaws {

  private final Map<Integer, Integer> slots = new HashMap<>();
  private final ArrivalList<Integer> list = new ArrivalList<>(slots::put);

  @Property
  void whoIsLeftStandsInTheOrderOfArrival(
      @ForAll @Size(max = 300) List<@IntRange(max = 5) Integer> steps) {
    slots.clear();
    ArrivalList<Integer> some = new ArrivalList<>(slots::put);
    List<Integer> expected = new ArrayList<>();
    for (int step = 0; step < steps.size(); step++) {
      if (steps.get(step) < 3 || expected.isEmpty()) {
        some.add(step);
        expected.add(step);
      } else {
        int gone = expected.remove(7 * step % expected.size());
        some.remove(Objects.requireNonNull(slots.get(gone)));
      }
      assertThat(some).containsExactlyElementsOf(expected);
    }
    assertThat(some.size()).isEqualTo(expected.size());
    assertThat(some.stream()).containsExactlyElementsOf(expected);
  }

  @Test
  void nobodyLeavesTwice() {
    list.add(1);
    list.add(2);
    list.remove(0);

    assertThatThrownBy(() -> list.remove(0)).isInstanceOf(NullPointerException.class);
    assertThat(list).containsExactly(2);
  }

  @Test
  void aWalkEnds() {
    assertThatThrownBy(list.iterator()::next).isInstanceOf(NoSuchElementException.class);
  }
}
