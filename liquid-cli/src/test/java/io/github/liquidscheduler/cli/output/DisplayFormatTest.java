package io.github.liquidscheduler.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisplayFormatTest {

  @ParameterizedTest
  @CsvSource({
    "PT0.4S, 0s",
    "PT59.4S, 59s",
    "PT59.6S, 1m 00s",
    "PT59M59.4S, 59m 59s",
    "PT2H5M, 2h 05m",
    "PT23H59M, 23h 59m",
    "PT24H, 1d 00h",
    "PT32H53M, 1d 09h",
    "PT94H, 3d 22h"
  })
  void aTimeHasItsTwoLargestUnits(Duration time, String text) {
    assertThat(DisplayFormat.time(time)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 s", "0.001, 0.001 s", "0.0123456, 0.01235 s", "200, 200 s", "1234.56, 1235 s"})
  void secondsHaveFourDigitsAtMost(double seconds, String text) {
    assertThat(DisplayFormat.seconds(seconds)).isEqualTo(text);
  }
}
