package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Tables are spliced as lists are, element by element. */
class SpliceLaws {

  @Property(tries = 500)
  void tablesAreSplicedAsLists(
      @ForAll @Size(max = 200) List<@IntRange(max = 3) Integer> values,
      @ForAll @IntRange(max = 200) int from,
      @ForAll @IntRange(max = 9) int removed,
      @ForAll @IntRange(max = 9) int added) {
    int at = Math.min(from, values.size());
    Splice splice = new Splice(at, Math.min(removed, values.size() - at), added);
    List<Integer> spliced = new ArrayList<>(values);
    spliced.subList(at, at + splice.removed()).clear();
    spliced.addAll(at, Collections.nCopies(added, 0));

    assertThat(splice.of(values, 0)).isEqualTo(spliced);
    assertThat(splice.of(ints(values))).isEqualTo(ints(spliced));
    assertThat(splice.of(Arrays.stream(ints(values)).asLongStream().toArray()))
        .isEqualTo(Arrays.stream(ints(spliced)).asLongStream().toArray());
    assertThat(splice.of(ones(values))).isEqualTo(ones(spliced));
    for (int position = 0; position < values.size(); position++) {
      if (!splice.removes(position)) {
        assertThat(spliced.get(splice.position(position))).isEqualTo(values.get(position));
      }
    }
  }

  @Property(tries = 300)
  void whatIsStoredBehindOneAnotherBeginsWhereThoseBeforeEnd(
      @ForAll @Size(min = 1, max = 30) List<@IntRange(max = 3) Integer> lengths,
      @ForAll @IntRange(max = 30) int from,
      @ForAll @IntRange(max = 5) int length) {
    int at = Math.min(from, lengths.size());
    List<Integer> longer = new ArrayList<>(lengths);
    longer.add(at, length);

    assertThat(new Splice(at, 0, 1).starts(starts(lengths), length)).isEqualTo(starts(longer));
    assertThat(new Splice(at, 1, 0).starts(starts(longer), length)).isEqualTo(starts(lengths));
  }

  @Property(tries = 300)
  void oneNodeMoreOrLessIsFound(
      @ForAll @IntRange(max = 20) int count, @ForAll @IntRange(max = 20) int from) {
    int at = Math.min(from, count);
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      nodes.add(Node.builder("n" + node).build());
    }
    List<Node> more = new ArrayList<>(nodes);
    more.add(at, Node.builder("new").build());
    List<Node> other = new ArrayList<>(more);
    other.add(Node.builder("last").build());

    assertThat(Splice.between(nodes, more)).contains(new Splice(at, 0, 1));
    assertThat(Splice.between(more, nodes)).contains(new Splice(at, 1, 0));
    assertThat(Splice.between(nodes, nodes)).isEmpty();
    assertThat(Splice.between(nodes, other)).isEmpty();
    Collections.reverse(more);
    assertThat(Splice.between(nodes, more).isPresent()).isEqualTo(count < 2);
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  private static BitSet ones(List<Integer> values) {
    BitSet ones = new BitSet();
    for (int position = 0; position < values.size(); position++) {
      ones.set(position, values.get(position) == 1);
    }
    return ones;
  }

  private static int[] starts(List<Integer> lengths) {
    int[] starts = new int[lengths.size() + 1];
    for (int i = 0; i < lengths.size(); i++) {
      starts[i + 1] = starts[i] + lengths.get(i);
    }
    return starts;
  }
}
