package io.github.liquidscheduler.lab.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

class ServiceSamplesTest {

  @Test
  void samplesAreReadAndPutInAscendingOrder() {
    assertThat(read("duration\r\n300\r\n121\r\n122\r\n").ascending())
        .containsExactly(121, 122, 300);
  }

  @Test
  void aWrongSampleIsNamed() {
    assertThatThrownBy(() -> read("duration\n121\n0\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage(
            "samples.csv:3: column 'duration' must be a whole number from 1 to 1000000000000, but"
                + " was '0'");
  }

  @Test
  void aFileWithoutSamplesIsRefused() {
    assertThatThrownBy(() -> read("duration\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("samples.csv: a file must have a sample, but had none");
  }

  @Test
  void givenSamplesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(ServiceSamples::of)
        .withMessage("the service samples must be 1 to 1000000, but were 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceSamples.of(5, -3, 7))
        .withMessage("a service sample must be from 1 to 1000000000000, but was -3");
  }

  private static ServiceSamples read(String text) {
    return ServiceSamples.read("samples.csv", new ByteArrayInputStream(text.getBytes(UTF_8)));
  }
}
