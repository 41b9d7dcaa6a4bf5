package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhillyReaderTest {

  private static final String HEADER = "timestamp,duration,num_gpus,gpu_time,cluster\n";

  @Test
  void everyColumnIsReadAndSubmissionIsCountedFromTheEarliest() {
    assertThat(Texts.read(TraceFormat.PHILLY, Texts.PHILLY).jobs())
        .containsExactly(
            TraceJob.builder("1")
                .gpus(8)
                .duration(Duration.ofSeconds(2_240_194))
                .virtualCluster("7f04ca")
                .line(4)
                .build(),
            TraceJob.builder("0")
                .gpus(1)
                .submit(Duration.parse("P2DT17H28M16S"))
                .duration(Duration.ofSeconds(60))
                .virtualCluster("6214e9")
                .line(3)
                .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2017-02-30 10:30:41",
        "2017-09-04",
        "2017-09-04 10:30:41 EST",
        "2017-09-04 24:00:00"
      })
  void aTimeThatIsNoneIsNamed(String time) {
    assertThatThrownBy(() -> read(HEADER + time + ",60,1,60,vc"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv:2: column 'timestamp' must be a time such as 2017-09-04 10:30:41, alone or"
                + " with a zone such as Z, UTC, PDT, PST or +08:00, but was '%s'",
            time);
  }

  @Test
  void aTimeFarFromTheFirstIsRefused() {
    assertThatThrownBy(
            () -> read(HEADER + "2017-09-04 10:30:41,60,1,60,vc\n1917-09-04 10:30:41,60,1,60,vc\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv:3: column 'timestamp' must be within 50 years of the first, but was"
                + " '1917-09-04 10:30:41'");
  }

  @Test
  void aWrongNumberIsNamed() {
    assertThatThrownBy(() -> read(HEADER + "2017-09-04 10:30:41,60,many,60,vc"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "jobs.csv:2: column 'num_gpus' must be a number from 0 to 1000000, but was 'many'");
  }

  private static Trace read(String text) {
    return Texts.read(TraceFormat.PHILLY, text);
  }
}
