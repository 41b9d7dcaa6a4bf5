package io.github.liquidscheduler.placement.colocation.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IsolatedRatesTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final double UNKNOWN = Double.NaN;

  private final IsolatedRates rates = new IsolatedRates();

  @Test
  void whatWasMeasuredCountsMoreThanTheProfileAndThatMoreThanTheWorkStated() {
    JobSpec job =
        job(1).toBuilder().expectedWork(ExpectedWork.of(Duration.ofSeconds(10), 30)).build();

    assertThat(rates.rate(job, V100, UNKNOWN)).hasValue(3);
    assertThat(rates.rate(job, V100, 5)).hasValue(5);
    rates.add(job, V100, 4);
    assertThat(rates.rate(job, V100, 5)).hasValue(4);
  }

  @Test
  void aProfileOfOneGpuSaysNothingOfSeveral() {
    assertThat(rates.rate(job(2), V100, 5)).isEmpty();
  }

  @Test
  void ratesBelongToAGpuModelAndANumberOfGpus() {
    rates.add(job(1), V100, 4);

    assertThat(rates.rate(job(1), GpuModel.of("A100"), UNKNOWN)).isEmpty();
    assertThat(rates.rate(job(2), V100, UNKNOWN)).isEmpty();
  }

  @Test
  void oldRatesAreForgottenByAndBy() {
    rates.add(job(1), V100, 1);
    for (int i = 0; i < 100; i++) {
      rates.add(job(1), V100, 4);
    }

    assertThat(rates.rate(job(1), V100, UNKNOWN).orElseThrow()).isCloseTo(4, within(0.001));
  }

  @Test
  void whoWasRestoredGoesOnAsBefore() {
    rates.add(job(1), V100, 1);
    rates.add(job(1), V100, 3);
    IsolatedRates restored = IsolatedRates.of(rates.toRecords());
    rates.add(job(1), V100, 5);
    restored.add(job(1), V100, 5);

    assertThat(restored.toRecords()).isEqualTo(rates.toRecords());
    assertThat(restored.rate(job(1), V100, UNKNOWN)).hasValue(3);
  }

  private static JobSpec job(int gpus) {
    return JobSpec.builder("a").gpus(gpus).workload(Workload.builder("family").build()).build();
  }
}
