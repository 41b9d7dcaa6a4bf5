package io.github.liquidscheduler.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResizeCostTest {

  private static final JobSpec SILENT = JobSpec.builder("silent").gpus(1).build();

  private static JobSpec sending(String bytes) {
    return JobSpec.builder("sends")
        .gpus(2)
        .communication(Communication.allReduce(Memory.parse(bytes)))
        .build();
  }

  @Test
  void stoppingAndResumingTakesAboutWhatWasMeasuredWithOneToFourWorkers() {
    int[] measured = {41, 47, 54, 62};
    for (int workers = 1; workers <= 4; workers++) {
      Duration pause = ResizeCost.STOP_RESUME.pause(SILENT, workers);
      assertThat(pause)
          .isBetween(
              Duration.ofSeconds(measured[workers - 1] - 1),
              Duration.ofSeconds(measured[workers - 1] + 1));
    }
  }

  @Test
  void preparingInTheBackgroundTakesLessThanAFifteenthForTwoHundredMegabytes() {
    for (int workers = 1; workers <= 4; workers++) {
      assertThat(ResizeCost.STOP_FREE.pause(sending("205 MB"), workers).multipliedBy(15))
          .isLessThan(ResizeCost.STOP_RESUME.pause(sending("205 MB"), workers));
    }
  }

  @Test
  void eachGigabyteThatIsReducedTakesLonger() {
    assertThat(ResizeCost.STOP_FREE.pause(sending("5 GB"), 8)).isEqualTo(Duration.ofMillis(3500));
    assertThat(ResizeCost.STOP_FREE.pause(SILENT, 8)).isEqualTo(Duration.ofMillis(2500));
  }

  @Test
  void nothingMayTakeLessThanNoTime() {
    Duration negative = Duration.ofMillis(-1);

    assertThatThrownBy(() -> new ResizeCost(negative, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S");
    assertThatThrownBy(() -> new ResizeCost(Duration.ZERO, negative, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ResizeCost(Duration.ZERO, Duration.ZERO, negative))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
