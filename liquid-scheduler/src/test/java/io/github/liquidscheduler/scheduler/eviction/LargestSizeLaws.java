package io.github.liquidscheduler.scheduler.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.job.Entries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

class LargestSizeLaws {

  @Property
  void bisectionFindsTheLargestFittingSizeBelowThePreferred(
      @ForAll @Size(min = 1, max = 20) @UniqueElements
          List<@IntRange(min = 1, max = 64) Integer> any,
      @ForAll @IntRange(max = 19) int preferredAt,
      @ForAll @IntRange(max = 65) int room) {
    List<Integer> sizes = List.copyOf(new TreeSet<>(any));
    int preferred = sizes.get(Math.min(preferredAt, sizes.size() - 1));
    JobSpec job =
        JobSpec.builder("j").gpus(preferred).parallelism(new Parallelism(sizes, preferred)).build();
    List<Integer> asked = new ArrayList<>();

    Optional<Placement> found =
        LargestSize.belowPreferred(
            job,
            sized -> {
              asked.add(sized.tasks());
              return sized.tasks() <= room ? Optional.of(tasks(sized.tasks())) : Optional.empty();
            });

    int smallest = sizes.getFirst();
    assertThat(found.map(placement -> placement.tasks().size()))
        .isEqualTo(
            sizes.stream()
                .filter(size -> size <= room && (size < preferred || size == smallest))
                .reduce((one, other) -> other));
    assertThat(asked).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(6);
  }

  private static Placement tasks(int count) {
    return Entries.on("j", "n0", IntStream.range(0, count).toArray());
  }
}
