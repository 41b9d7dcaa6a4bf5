package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GpuSharingTest {
  private static final Duration LENGTH = Duration.ofSeconds(100);

  private static GpuSharing of(int gpus, int jobs, double retained) {
    TraceJob job = TraceJob.builder("job").gpus(1).duration(LENGTH).build();
    return new GpuSharing(LiquidCluster.K80.part(gpus), job, jobs, GpuSharing.retaining(retained));
  }

  @Test
  void aloneJobsFollowEachOther() {
    assertThat(of(1, 4, 0.8).exclusive()).isEqualTo(LENGTH.multipliedBy(4));
  }

  @Test
  void twoJobsOnAGpuRunAtOnce() {
    // The first has the GPU for 5 s, and the second for the 5 s after it.
    assertThat(of(1, 2, 1).shared(GpuSharing.liquid())).isEqualTo(LENGTH.plusSeconds(5));
  }

  @Test
  void aSlowdownLengthensTheTimeTogether() {
    // 5 s alone, then 95 s of work at half speed, then the 5 s that the second has left.
    assertThat(of(1, 2, 0.5).shared(GpuSharing.liquid())).isEqualTo(LENGTH.multipliedBy(2));
  }

  @Test
  void aThirdJobWaitsForOneOfTwo() {
    assertThat(of(1, 3, 1).shared(GpuSharing.liquid())).isEqualTo(LENGTH.multipliedBy(2));
  }

  @Test
  void belowTheThresholdJobsTakeFreeGpus() {
    // One of two GPUs in use is less than .75, so that the second job starts alone.
    assertThat(of(2, 2, 0.5).shared(GpuSharing.liquid())).isEqualTo(LENGTH.plusSeconds(5));
  }

  @Test
  void fromTheThresholdOnJobsShareAlthoughAGpuIsFree() {
    // The fourth job comes when three of four GPUs are in use; alone it would end at 115 s.
    assertThat(of(4, 4, 0.5).shared(GpuSharing.liquid())).isGreaterThan(LENGTH.plusSeconds(15));
  }

  @Property(tries = 200)
  void noSavingExceedsTheBoundOfTwoJobsOnAGpu(
      @ForAll @IntRange(min = 1, max = 12) int jobs,
      @ForAll @DoubleRange(min = 0.3, max = 1) double retained) {
    assertThat(of(1, jobs, retained).saving(GpuSharing.liquid()))
        .isLessThanOrEqualTo(Math.max(0, 1 - 1 / (2 * retained)) + 1e-9);
  }

  @Test
  void theThresholdsReachThePublishedSavingsWithTheSlowdownThatTheseImply() {
    for (PublishedSharing published : PublishedSharing.all()) {
      GpuSharing sharing = published.on(1, published.impliedRetainedSpeed());
      assertThat(sharing.saving(GpuSharing.liquid())).isCloseTo(published.saving(), within(0.004));
    }
  }

  @Test
  void jobsAreOfOneGpu() {
    TraceJob two = TraceJob.builder("job").gpus(2).duration(LENGTH).build();

    assertThatThrownBy(
            () -> new GpuSharing(LiquidCluster.T4.part(2), two, 1, GpuSharing.retaining(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of one GPU");
  }
}
