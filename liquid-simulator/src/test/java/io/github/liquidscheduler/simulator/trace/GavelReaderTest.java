package io.github.liquidscheduler.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GavelReaderTest {

  @Test
  void everyColumnIsRead() {
    assertThat(Texts.read(TraceFormat.GAVEL, Texts.GAVEL).jobs())
        .containsExactly(
            TraceJob.builder("0")
                .model("ResNet-50 (batch size 64)")
                .iterations(2931)
                .line(1)
                .build(),
            TraceJob.builder("1")
                .model("LM (batch size 5)")
                .iterations(10_027)
                .gpus(4)
                .submit(Duration.ofMillis(12_500))
                .line(2)
                .build());
  }

  @Test
  void theFormOfTheVirtualClustersIsReadToo() {
    assertThat(
            Texts.read(TraceFormat.GAVEL, "LM (batch size 5)\tpython\t-n\t1\t77\t12.5\t4\n").jobs())
        .containsExactly(
            TraceJob.builder("0")
                .model("LM (batch size 5)")
                .iterations(77)
                .gpus(4)
                .submit(Duration.ofMillis(12_500))
                .line(1)
                .build());
  }

  @Test
  void theTwoFormsAreNotMixedInOneFile() {
    String mixed = "LM\tpython\t-n\t1\t77\t12.5\t4\nLM\tpython\tdir\t-n\t1\t100\t1\t1\t-1\t0\n";

    assertThatThrownBy(() -> Texts.read(TraceFormat.GAVEL, mixed))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("jobs.csv:2: a line must have 7 columns, but had 10");
  }

  @ParameterizedTest
  @CsvSource({
    "0, job_type, must not be blank, ''",
    "5, total_steps, must be a whole number from 1 to 1000000000000000, -3",
    "6, scale_factor, must be a whole number from 1 to 1000000, 0",
    "9, arrival_time, must be a number of seconds from 0 to 3153600000, soon"
  })
  void aWrongValueIsNamed(int index, String column, String rule, String value) {
    String[] values = "LM\tpython\tdir\t-n\t1\t100\t1\t1\t-1\t0".split("\t");
    values[index] = value;

    assertThatThrownBy(() -> Texts.read(TraceFormat.GAVEL, String.join("\t", values)))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("jobs.csv:1: column '%s' %s, but was '%s'".formatted(column, rule, value));
  }
}
