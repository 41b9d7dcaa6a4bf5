package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest {

  @Test
  void jobsAreOrderedBySubmissionAndThenAsGiven() {
    TraceJob late = TraceJob.builder("late").submit(Duration.ofSeconds(1)).build();
    TraceJob first = TraceJob.builder("first").build();
    TraceJob second = TraceJob.builder("second").build();

    assertThat(Trace.of("test", List.of(late, first, second)).jobs())
        .containsExactly(first, second, late);
  }

  @Test
  void twoJobsOfOneIdAreRefused() {
    TraceJob job = TraceJob.builder("a").build();

    assertThatThrownBy(() -> Trace.of("test", List.of(job, job)))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("test: a job id must come once, but 'a' came again");
  }
}
