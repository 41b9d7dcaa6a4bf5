package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TraceJobTest {

  @Test
  void whatIsNotToldIsEmpty() {
    TraceJob job = TraceJob.builder("a").build();

    assertThat(job.gpus()).isEqualTo(1);
    assertThat(job.submit()).isZero();
    assertThat(job.duration()).isEmpty();
    assertThat(job.iterations()).isEmpty();
    assertThat(job.model()).isEmpty();
    assertThat(job.virtualCluster()).isEmpty();
    assertThat(job.line()).isEmpty();
    assertThat(job).hasToString("job 'a'");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    TraceJob.Builder job = TraceJob.builder("a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> job.gpus(0))
        .withMessage("gpus must be from 1 to 1000000, but was 0, for job 'a'");
    assertThatIllegalArgumentException().isThrownBy(() -> job.gpus(1_000_001));
    assertThatIllegalArgumentException().isThrownBy(() -> job.iterations(0));
    assertThatIllegalArgumentException().isThrownBy(() -> job.line(0));
    assertThatIllegalArgumentException().isThrownBy(() -> job.submit(Duration.ofNanos(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> job.duration(Duration.ofDays(36_501)))
        .withMessage("duration must be from 0 s to PT876000H, but was PT876024H, for job 'a'");
  }

  @Test
  void aJobWithoutNameIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceJob.builder(" "))
        .withMessage("a job of a trace must have an id, but it was blank");
  }
}
