package io.github.liquidscheduler.rounds.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskTimeEstimatesTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel T4 = GpuModel.of("T4");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final Map<GpuModel, Double> SPEEDS = Map.of(V100, 6.0, T4, 2.0);

  private static TaskTimeEstimates expecting(Map<GpuModel, Double> seconds) {
    return new TaskTimeEstimates(new ComputeTimes(seconds), SPEEDS);
  }

  @Test
  void nothingKnownIsASecondAtSpeedOne() {
    TaskTimeEstimates estimates = expecting(Map.of());

    assertThat(estimates.seconds(K80)).isEqualTo(1);
    assertThat(estimates.seconds(T4)).isEqualTo(0.5);
  }

  @Test
  void theFirstTaskSeenIsScaledToOtherModels() {
    TaskTimeEstimates estimates = expecting(Map.of());

    assertThat(estimates.observe(T4, 30)).isTrue();
    assertThat(estimates.seconds(T4)).isEqualTo(30);
    assertThat(estimates.seconds(V100)).isEqualTo(10);
    assertThat(estimates.seconds(K80)).isEqualTo(60);
  }

  @Test
  void whatIsExpectedMovesTowardsWhatIsSeen() {
    TaskTimeEstimates estimates = expecting(Map.of(T4, 20.0));
    estimates.observe(T4, 30);

    assertThat(estimates.seconds(T4)).isEqualTo(23, within(1e-12));
    assertThat(estimates.seconds(V100)).isEqualTo(23.0 / 3, within(1e-12));
  }

  @Test
  void whatTheClockCannotTellApartIsNoNews() {
    TaskTimeEstimates estimates = expecting(Map.of(T4, 20.0));

    assertThat(estimates.observe(T4, 20.0000000009)).isFalse();
    assertThat(estimates.seconds(T4)).isEqualTo(20);
  }
}
