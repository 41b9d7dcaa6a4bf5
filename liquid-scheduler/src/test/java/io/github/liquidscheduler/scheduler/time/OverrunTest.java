package io.github.liquidscheduler.scheduler.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a job ends that began at 0 and was expected to end at 160. */
class OverrunTest {

  @ParameterizedTest
  @CsvSource({"100, 160", "160, 160", "161, 170", "170, 170", "171, 320", "320, 320", "321, 640"})
  void anEndThatIsOutlivedIsASixteenthLaterThenTwiceAsLateAndTwiceAgain(long now, long end) {
    assertThat(Overrun.end(0, 160, now)).isEqualTo(end);
  }

  @Test
  void anEndIsNeverBeyondTheLastInstant() {
    long half = Long.MAX_VALUE / 2;

    assertThat(Overrun.end(0, half, Long.MAX_VALUE - 1)).isEqualTo(2 * half);
    assertThat(Overrun.end(0, half + 1, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Overrun.end(half, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }
}
