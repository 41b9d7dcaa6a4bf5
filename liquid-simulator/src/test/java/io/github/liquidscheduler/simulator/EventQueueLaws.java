package io.github.liquidscheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EventQueueLaws {

  /** Few distinct times, so that many are equal; the position is the key. */
  @Property
  void entriesLeaveByTimeAndThenByKey(
      @ForAll @Size(max = 300) List<@IntRange(max = 20) Integer> times) {
    EventQueue queue = new EventQueue();
    List<long[]> expected = new ArrayList<>();
    for (int key = times.size() - 1; key >= 0; key--) {
      queue.add(times.get(key), key, null);
      expected.add(new long[] {times.get(key), key});
    }
    expected.sort(Comparator.<long[]>comparingLong(e -> e[0]).thenComparingLong(e -> e[1]));

    List<long[]> left = new ArrayList<>();
    while (!queue.isEmpty()) {
      left.add(new long[] {queue.time(), queue.key()});
      queue.remove();
    }

    assertThat(left).usingRecursiveComparison().isEqualTo(expected);
  }
}
