package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SameCoRunnersTest {

  private final SameCoRunners same = new SameCoRunners();

  @Test
  void equalCoRunnersAreOneObject() {
    CoRunnerKey first = same.of(key("resnet50", 0.5, 4));

    assertThat(first).isEqualTo(key("resnet50", 0.5, 4));
    assertThat(same.of(key("resnet50", 0.5, 4))).isSameAs(first);
  }

  @Test
  void soIsWhatIsEqualInDifferentOnes() {
    CoRunnerKey first = same.of(key("resnet50", 0.5, 4));
    CoRunnerKey other = same.of(key("resnet50", 0.5, 8));

    assertThat(other).isNotEqualTo(first);
    assertThat(other.workload()).isSameAs(first.workload());
    assertThat(other.sharing()).isSameAs(first.sharing());
  }

  @Test
  void coRunnersThatDifferInMemoryAlonePassForDifferentOnesByTheirHash() {
    Set<Integer> low = new HashSet<>();
    for (int gib = 0; gib < 64; gib++) {
      int hash = key("resnet50", 0.5, gib).hashCode();
      low.add((hash ^ hash >>> 16) & 1023);
    }

    assertThat(low).hasSizeGreaterThan(48);
  }

  private static CoRunnerKey key(String family, double floor, int gib) {
    return new CoRunnerKey(
        Workload.builder(family).build(),
        new Sharing.Guaranteed(floor),
        GpuShare.ofThousandths(500),
        Memory.ofGib(gib));
  }
}
