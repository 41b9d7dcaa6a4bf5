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

  private final ColocationBans separations = new ColocationBans();

  @Test
  void whoWasTooSlowDoesNotMeetTheOtherWherePromisedMore() {
    separations.tooSlow(workload("a"), workload("b"), V100, 0.7);

    assertThat(forbid(V100, GUARANTEED, "a", OPPORTUNISTIC, "b")).isTrue();
    assertThat(forbid(V100, OPPORTUNISTIC, "b", GUARANTEED, "a")).isTrue();
    assertThat(forbid(V100, OPPORTUNISTIC, "a", OPPORTUNISTIC, "b")).isFalse();
    assertThat(forbid(V100, new Sharing.Guaranteed(0.6), "a", OPPORTUNISTIC, "b")).isFalse();
  }

  @Test
  void theOtherMayBePromisedWhatItLikes() {
    separations.tooSlow(workload("a"), workload("b"), V100, 0.7);

    assertThat(forbid(V100, GUARANTEED, "b", OPPORTUNISTIC, "a")).isFalse();
  }

  @Test
  void theSlowestSeenCounts() {
    separations.tooSlow(workload("a"), workload("b"), V100, 0.7);
    separations.tooSlow(workload("a"), workload("b"), V100, 0.9);

    assertThat(forbid(V100, GUARANTEED, "a", OPPORTUNISTIC, "b")).isTrue();
  }

  @Test
  void whoDoesLessTogetherMeetsNeverWhicheverComesFirst() {
    separations.apart(workload("a"), workload("b"), V100);

    assertThat(forbid(V100, OPPORTUNISTIC, "a", OPPORTUNISTIC, "b")).isTrue();
    assertThat(forbid(V100, OPPORTUNISTIC, "b", OPPORTUNISTIC, "a")).isTrue();
  }

  @Test
  void anotherGpuModelIsAnotherMatter() {
    separations.apart(workload("a"), workload("b"), V100);

    assertThat(forbid(GpuModel.of("A100"), OPPORTUNISTIC, "a", OPPORTUNISTIC, "b")).isFalse();
  }

  @Test
  void whatIsWrittenDownReadsBack() {
    separations.tooSlow(workload("a"), workload("b"), V100, 0.7);
    separations.apart(workload("c"), workload("d"), V100);
    ColocationBans restored = new ColocationBans();
    restored.apart(workload("e"), workload("f"), V100);
    restored.restore(separations.toRecords());

    assertThat(restored.toRecords()).isEqualTo(separations.toRecords()).hasSize(3);
  }

  private boolean forbid(
      GpuModel gpu, Sharing newcomer, String its, Sharing resident, String others) {
    return separations.forbid(
        new SharedGpu(
            gpu, occupant(newcomer, its), List.of(occupant(resident, others)), Memory.ofGib(1)));
  }

  private static CoRunner occupant(Sharing sharing, String family) {
    return new CoRunner(sharing, ColocationProfile.of(workload(family)));
  }

  private static Workload workload(String family) {
    return Workload.builder(family).build();
  }
}
