package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResidentSetTest {

  private static final CoRunnerKey SMALL = key(new Sharing.Opportunistic(), 300, 4);
  private static final CoRunnerKey LARGE = key(new Sharing.Guaranteed(0.8), 500, 10);
  private static final CoRunnerKey ALONE = key(new Sharing.Exclusive(), 200, 1);

  @Test
  void coRunnersHoldTogetherWhatEachOfThemHolds() {
    ResidentSet both = new ResidentSet(0, List.of(SMALL, LARGE));

    assertThat(both.share()).isEqualTo(800);
    assertThat(both.memory()).isEqualTo(Memory.ofGib(14).bytes());
    assertThat(both.coRunnerKeys()).containsExactly(SMALL, LARGE);
  }

  @Test
  void oneWhoWantsToBeAloneIsEnough() {
    assertThat(new ResidentSet(0, List.of(SMALL, LARGE)).isExclusive()).isFalse();
    assertThat(new ResidentSet(0, List.of(SMALL, ALONE)).isExclusive()).isTrue();
    assertThat(new ResidentSet(0, List.of(ALONE, SMALL)).isExclusive()).isTrue();
  }

  @Test
  void setsAreTheSameIfTheSameCoRunnersCameInTheSameOrderOnGpusOfAPool() {
    ResidentSet both = new ResidentSet(0, List.of(SMALL, LARGE));

    assertThat(both)
        .isEqualTo(new ResidentSet(0, List.of(SMALL, LARGE)))
        .hasSameHashCodeAs(new ResidentSet(0, List.of(SMALL, LARGE)))
        .isNotEqualTo(new ResidentSet(1, List.of(SMALL, LARGE)))
        .isNotEqualTo(new ResidentSet(0, List.of(LARGE, SMALL)))
        .isNotEqualTo(new ResidentSet(0, List.of(SMALL)));
  }

  private static CoRunnerKey key(Sharing sharing, int thousandths, int gib) {
    return new CoRunnerKey(
        Workload.builder("resnet50").build(),
        sharing,
        GpuShare.ofThousandths(thousandths),
        Memory.ofGib(gib));
  }
}
