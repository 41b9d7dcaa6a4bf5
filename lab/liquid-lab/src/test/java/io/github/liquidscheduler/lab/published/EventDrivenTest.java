package io.github.liquidscheduler.lab.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventDrivenTest {
  private static final Duration LAUNCH = Duration.ofSeconds(15);
  private static final EventDriven DRIVER = new EventDriven(LiquidCluster.K80, 1, 8, LAUNCH);

  @Test
  void withEventsAGpuIdlesForTheLaunchesOnly() {
    assertThat(DRIVER.idle(0, Duration.ZERO)).isEqualTo(LAUNCH.multipliedBy(4));
  }

  @Test
  void aHeartbeatTellsEachEndAtMostOneBeatLate() {
    assertThat(DRIVER.idle(0, EventDriven.HEARTBEAT))
        .isBetween(LAUNCH.multipliedBy(4), LAUNCH.plusSeconds(5).multipliedBy(4));
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertThat(DRIVER.savings(3)).isEqualTo(DRIVER.savings(3));
  }

  @Test
  void gpusThatNobodyWaitedForDoNotCount() {
    EventDriven fewJobs = new EventDriven(LiquidCluster.K80, 2, 8, LAUNCH);

    assertThat(fewJobs.idle(0, EventDriven.HEARTBEAT)).isZero();
  }

  @Test
  void aClusterNeedsNodes() {
    assertThatThrownBy(() -> new EventDriven(LiquidCluster.K80, 0, 8, LAUNCH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be at least 1");
  }
}
