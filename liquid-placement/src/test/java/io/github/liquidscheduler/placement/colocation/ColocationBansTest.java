package io.github.liquidscheduler.placement.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColocationBansTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Sharing OPPORTUNISTIC = new Sharing.Opportunistic();
  private static final Sharing GUARANTEED = new Sharing.Guaranteed(0.8);

  private final ColocationBans bans = new ColocationBans();

  @Test
  void whoWasTooSlowDoesNotMeetTheOtherWherePromisedMore() {
    bans.tooSlow(workload("a"), workload("b"), V100, 0.7);

    assertThat(forbid(V100, GUARANTEED, "a", OPPORTUNISTIC, "b")).isTrue();
    assertThat(forbid(V100, OPPORTUNISTIC, "b", GUARANTEED, "a")).isTrue();
    assertThat(forbid(V100, OPPORTUNISTIC, "a", OPPORTUNISTIC, "b")).isFalse();
    assertThat(forbid(V100, new Sharing.Guaranteed(0.6), "a", OPPORTUNISTIC, "b")).isFalse();
  }

  @Test
  void theOtherMayBePromisedWhatItLikes() {
    bans.tooSlow(workload("a"), workload("b"), V100, 0.7);

    assertThat(forbid(V100, GUARANTEED, "b", OPPORTUNISTIC, "a")).isFalse();
  }

  @Test
  void theSlowestSeenCounts() {
    bans.tooSlow(workload("a"), workload("b"), V100, 0.7);
    bans.tooSlow(workload("a"), workload("b"), V100, 0.9);

    assertThat(forbid(V100, GUARANTEED, "a", OPPORTUNISTIC, "b")).isTrue();
  }

  @Test
  void whoDoesLessTogetherMeetsNeverWhicheverComesFirst() {
    bans.apart(workload("a"), workload("b"), V100);

    assertThat(forbid(V100, OPPORTUNISTIC, "a", OPPORTUNISTIC, "b")).isTrue();
    assertThat(forbid(V100, OPPORTUNISTIC, "b", OPPORTUNISTIC, "a")).isTrue();
  }

  @Test
  void anotherGpuModelIsAnotherMatter() {
    bans.apart(workload("a"), workload("b"), V100);

    assertThat(forbid(GpuModel.of("A100"), OPPORTUNISTIC, "a", OPPORTUNISTIC, "b")).isFalse();
  }

  @Test
  void whatIsWrittenDownReadsBack() {
    bans.tooSlow(workload("a"), workload("b"), V100, 0.7);
    bans.apart(workload("c"), workload("d"), V100);
    ColocationBans restored = new ColocationBans();
    restored.apart(workload("e"), workload("f"), V100);
    restored.restore(bans.toRecords());

    assertThat(restored.toRecords()).isEqualTo(bans.toRecords()).hasSize(3);
  }

  private boolean forbid(
      GpuModel gpu, Sharing candidateJob, String its, Sharing resident, String others) {
    return bans.forbid(
        new SharedGpu(
            gpu,
            coRunner(candidateJob, its),
            List.of(coRunner(resident, others)),
            Memory.ofGib(1)));
  }

  private static CoRunner coRunner(Sharing sharing, String family) {
    return new CoRunner(sharing, ColocationProfile.of(workload(family)));
  }

  private static Workload workload(String family) {
    return Workload.builder(family).build();
  }
}
