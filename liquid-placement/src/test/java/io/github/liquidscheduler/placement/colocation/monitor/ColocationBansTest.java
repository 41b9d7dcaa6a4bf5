package io.github.liquidscheduler.placement.colocation.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import org.junit.jupiter.api.Test;

class ColocationBansTest {

  private static final GpuModel V100 = GpuModel.of("V100");

  private final ColocationBans none = ColocationBans.NONE;

  @Test
  void whoWasTooSlowIsNotColocatedAgainWherePromisedMore() {
    ColocationBans bans = none.tooSlow(workload("a"), workload("b"), V100, 0.7);

    assertThat(forbid(bans, "a", "b", 0.8)).isTrue();
    assertThat(forbid(bans, "a", "b", 0.6)).isFalse();
    assertThat(forbid(bans, "a", "b", 0)).isFalse();
  }

  @Test
  void theOtherMayBePromisedAnything() {
    ColocationBans bans = none.tooSlow(workload("a"), workload("b"), V100, 0.7);

    assertThat(forbid(bans, "b", "a", 1)).isFalse();
  }

  @Test
  void theSlowestMeasurementCounts() {
    ColocationBans bans =
        none.tooSlow(workload("a"), workload("b"), V100, 0.7)
            .tooSlow(workload("a"), workload("b"), V100, 0.9);

    assertThat(forbid(bans, "a", "b", 0.8)).isTrue();
  }

  @Test
  void whoAchievesTooLittleTogetherIsBannedWhicheverComesFirst() {
    ColocationBans bans = none.apart(workload("a"), workload("b"), V100);

    assertThat(forbid(bans, "a", "b", 0)).isTrue();
    assertThat(forbid(bans, "b", "a", 0)).isTrue();
  }

  @Test
  void anotherGpuModelIsAnotherMatter() {
    ColocationBans bans = none.apart(workload("a"), workload("b"), V100);

    assertThat(bans.forbid(workload("a"), workload("b"), GpuModel.of("A100"), 0)).isFalse();
  }

  @Test
  void oneMoreBanChangesNothingForThoseWhoHaveTheOldOnes() {
    ColocationBans before = none.apart(workload("a"), workload("b"), V100);
    before.tooSlow(workload("c"), workload("d"), V100, 0.1);

    assertThat(forbid(before, "c", "d", 1)).isFalse();
    assertThat(none.toRecords()).isEmpty();
  }

  @Test
  void whatIsWrittenDownReadsBack() {
    ColocationBans bans =
        none.tooSlow(workload("a"), workload("b"), V100, 0.7)
            .apart(workload("c"), workload("d"), V100);

    ColocationBans restored = ColocationBans.of(bans.toRecords());

    assertThat(restored.toRecords()).isEqualTo(bans.toRecords()).hasSize(3);
  }

  private static boolean forbid(ColocationBans bans, String victim, String other, double floor) {
    return bans.forbid(workload(victim), workload(other), V100, floor);
  }

  private static Workload workload(String family) {
    return Workload.builder(family).build();
  }
}
