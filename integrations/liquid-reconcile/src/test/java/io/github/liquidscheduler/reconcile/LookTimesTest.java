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

  private Duration nextLookAfterAListingOf(int millis) {
    return nextLook(() -> times.listed(Duration.ofMillis(millis).toNanos()));
  }

  @Test
  void aManagerThatTakesLongToListIsAskedLessOften() {
    assertThat(nextLookAfterAListingOf(500)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aSingleListingThatTakesLongHoldsNothingBack() {
    nextLookAfterAListingOf(100);

    assertThat(nextLookAfterAListingOf(2000)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aManagerThatHasBecomeSlowIsAskedLessOftenAfterFiveListings() {
    nextLookAfterAListingOf(100);
    for (int listing = 1; listing < 5; listing++) {
      assertThat(nextLookAfterAListingOf(2000)).isEqualTo(Duration.ofSeconds(1));
    }

    assertThat(nextLookAfterAListingOf(2000)).isEqualTo(Duration.ofSeconds(8));
  }
}
