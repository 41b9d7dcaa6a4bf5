package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SlotSetLaws {

  @Property
  void isASortedSetOfSmallIntegers(
      @ForAll @Size(max = 60) List<@IntRange(max = 9_999) Integer> added,
      @ForAll @Size(max = 60) List<@IntRange(max = 9_999) Integer> removed,
      @ForAll @IntRange(max = 10_000) int from,
      @ForAll @IntRange(max = 10_000) int end) {
    SlotSet set = new SlotSet(10_000);
    TreeSet<Integer> model = new TreeSet<>(added);
    added.forEach(set::add);
    removed.forEach(set::remove);
    added.stream().filter(member -> member % 3 == 0).forEach(set::remove);
    model.removeAll(removed);
    model.removeIf(member -> member % 3 == 0);

    Integer next = model.ceiling(from);
    assertThat(set.next(from, end)).isEqualTo(next == null || next >= end ? -1 : next);
    assertThat(set.copy().next(from, end)).isEqualTo(set.next(from, end));
  }
}
