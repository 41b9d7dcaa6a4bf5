package io.github.liquidscheduler.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookTimesTest {

  private final List<Duration> delays = new ArrayList<>();
  private final LookTimes times =
      new LookTimes(
          () -> 0,
          (delay, task) -> {
            delays.add(delay);
            return () -> {};
          },
          Duration.ofSeconds(1),
          () -> {});

  private Duration nextLook(Runnable duringALook) {
    assertThat(times.begins()).isTrue();
    duringALook.run();
    times.ends();
    return delays.getLast();
  }

  @Test
  void itLooksAgainAfterTheTimeBetweenTwoLooks() {
    assertThat(nextLook(() -> {})).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void itLooksSoonAfterAHint() {
    assertThat(nextLook(times::hint)).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void itLooksSoonerOnceWhileSomethingIsExpected() {
    assertThat(nextLook(times::expect)).isEqualTo(Duration.ofMillis(250));
    assertThat(nextLook(() -> {})).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aManagerThatTakesLongToListIsAskedLessOften() {
    assertThat(
            nextLook(
                () -> {
                  times.expect();
                  times.listed(Duration.ofMillis(200).toNanos());
                }))
        .isEqualTo(Duration.ofMillis(800));
  }
}
