package io.github.liquidscheduler.scheduler.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class GpuTimeTest {

  @Test
  void theLastInstantIsReachedAndNothingIsAfterIt() {
    Instant start = GpuTime.LATEST.minusSeconds(10);

    assertThat(GpuTime.after(start, Duration.ofSeconds(10))).contains(GpuTime.LATEST);
    assertThat(GpuTime.after(start, Duration.ofSeconds(10).plusNanos(1))).isEmpty();
    assertThat(GpuTime.end(start, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Instant.MAX);
  }
}
