package io.github.liquidscheduler.scheduler.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GpuSpeedTableTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final JobSpec JOB =
      JobSpec.builder("a").gpus(2).workload(Workload.builder("resnet").build()).build();

  @Test
  void whatIsInTheTableIsToldForAnyNumberOfGpus() {
    GpuSpeedTable table =
        GpuSpeedTable.builder().speed("resnet", V100, 2).speed("resnet", V100, 6.9).build();

    assertThat(table.throughput(JOB, V100, 2, "node").value()).isEqualTo(6.9);
    assertThat(table.throughput(JOB, V100, 16, "rack").value()).isEqualTo(6.9);
  }

  @Test
  void ofTheRestNothingIsTold() {
    GpuSpeedTable table = GpuSpeedTable.builder().speed("bert", V100, 2).build();

    assertThat(table.throughput(JOB, V100, 2, "node").provenance()).isEqualTo(Provenance.DEFAULT);
    assertThat(table.throughput(JOB, V100, 2, "node").value()).isZero();
  }

  @Test
  void speedsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> GpuSpeedTable.builder().speed("bert", V100, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a speed must be positive and finite, but was 0.0, for 'bert' on V100");
    assertThatThrownBy(
            () -> Performance.by(GpuSpeedTable.builder().build()).moving(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a pause must not be negative, but was PT-1S");
  }
}
