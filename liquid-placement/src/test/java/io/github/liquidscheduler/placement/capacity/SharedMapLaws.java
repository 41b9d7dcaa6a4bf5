package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Shared maps and their copies hold what linked hash maps of their own would, in their order. */
class SharedMapLaws {

  private static final int COPY = 0;

  /** A shared map beside a map that shares nothing. */
  private record Pair(SharedMap<Integer, String> map, Map<Integer, String> model) {

    static Pair empty() {
      return new Pair(new SharedMap<>(LinkedHashMap::new), new LinkedHashMap<>());
    }

    Pair copy() {
      return new Pair(map.copy(), new LinkedHashMap<>(model));
    }

    /** Puts the key if it is not there, and removes it if it is. */
    void change(int key, String value) {
      if (model.containsKey(key)) {
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      } else {
        map.put(key, value);
        model.put(key, value);
      }
    }

    void check() {
      Map<Integer, String> all = new LinkedHashMap<>();
      map.forEach(all::put);
      assertThat(all).containsExactlyEntriesOf(model);
      for (int key = 1; key <= 12; key++) {
        assertThat(map.get(key)).isEqualTo(model.get(key));
      }
    }
  }

  @Property
  void copiesGoTheirOwnWay(
      @ForAll @Size(max = 60) List<@IntRange(min = COPY, max = 12) Integer> keys,
      @ForAll @Size(min = 1, max = 10) List<@IntRange(max = 5) Integer> turns) {
    List<Pair> pairs = new ArrayList<>(List.of(Pair.empty()));
    for (int step = 0; step < keys.size(); step++) {
      Pair pair = pairs.get(turns.get(step % turns.size()) % pairs.size());
      if (keys.get(step) == COPY) {
        pairs.add(pair.copy());
      } else {
        pair.change(keys.get(step), "at " + step);
      }
      pairs.forEach(Pair::check);
    }
  }

  @Property
  void whatIsNotThereIsNotRemoved(@ForAll @IntRange(min = 1, max = 12) int key) {
    Pair pair = Pair.empty();
    pair.change(key, "there");
    Pair copy = pair.copy();

    assertThat(copy.map().remove(key + 1)).isNull();
    copy.check();
  }
}
