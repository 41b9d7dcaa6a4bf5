package io.github.liquidscheduler.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cli.output.PlacementText;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SlurmArrayLaws {

  @Example
  void neighboursAreOneRange() {
    assertThat(PlacementText.ranges(new TreeSet<>(List.of(0, 1, 2, 5, 7, 8))))
        .isEqualTo("0-2,5,7-8");
  }

  @Property(tries = 200)
  void rangesNameEachTaskOnce(
      @ForAll @Size(min = 1, max = 40) Set<@IntRange(max = 60) Integer> set) {
    TreeSet<Integer> tasks = new TreeSet<>(set);
    TreeSet<Integer> named = new TreeSet<>();
    for (String range : PlacementText.ranges(tasks).split(",", -1)) {
      String[] ends = range.split("-", -1);
      IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
          .forEach(task -> assertThat(named.add(task)).isTrue());
    }
    assertThat(named).isEqualTo(tasks);
  }
}
