package io.github.liquidscheduler.placement.colocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import org.junit.jupiter.api.Test;

class SharingTriggerTest {

  private static final JobSpec JOB = JobSpec.builder("a").gpus(1).build();

  private final ClusterState cluster =
      ClusterState.of(
          ClusterTopology.builder()
              .node(Node.builder("n0").gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build())
              .build());

  @Test
  void utilizationSwitchesSharingOnFromTheFractionThatIsNamed() {
    SharingTrigger fromThreeQuarters = SharingTrigger.aboveUtilization(0.75);
    hold(2);
    assertThat(fromThreeQuarters.isOn(cluster, JOB)).isFalse();
    hold(1);
    assertThat(fromThreeQuarters.isOn(cluster, JOB)).isTrue();
  }

  @Test
  void twoExpectedJobsAreNotEnough() {
    assertThat(SharingTrigger.fromExpectedJobs(view -> 2).isOn(cluster, JOB)).isFalse();
    assertThat(SharingTrigger.fromExpectedJobs(view -> 3).isOn(cluster, JOB)).isTrue();
  }

  @Test
  void aFractionThatCannotBeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SharingTrigger.aboveUtilization(Double.NaN))
        .withMessage("a fraction of allocated GPUs must be from 0 to 1, but was NaN");
    assertThatIllegalArgumentException().isThrownBy(() -> SharingTrigger.aboveUtilization(1.1));
  }

  private void hold(int gpus) {
    JobSpec job = JobSpec.builder("holds-" + gpus).gpus(gpus).build();
    cluster.apply(job, BestFitPlacer.bestFit().place(cluster, job).orElseThrow());
  }
}
