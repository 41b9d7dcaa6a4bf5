package io.github.liquidscheduler.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotSectionTest {
  @Test
  void countsAreReadBack() {
    new SnapshotSection(Map.of("counts", List.of(0L, 7L)))
        .read(in -> assertThat(in.counts("counts")).containsExactly(0, 7));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE})
  void whatCountsNothingIsRefusedWhereverItStands(long count) {
    SnapshotSection section = new SnapshotSection(Map.of("counts", List.of(count), "count", count));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> section.read(in -> in.counts("counts")))
        .withMessageStartingWith("'counts' must ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> section.read(in -> in.count("count")))
        .withMessageStartingWith("'count' must ");
  }
}
