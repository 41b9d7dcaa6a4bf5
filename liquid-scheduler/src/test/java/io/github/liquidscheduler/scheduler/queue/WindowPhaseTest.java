package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.queue.WindowPhase.Awaiting;
import io.github.liquidscheduler.scheduler.queue.WindowPhase.Gathering;
import io.github.liquidscheduler.scheduler.queue.WindowPhase.Idle;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WindowPhaseTest {

  private static final Instant FIRST = Instant.ofEpochSecond(1);
  private static final Instant LATER = Instant.ofEpochSecond(2);

  @Test
  void aWindowOpensOnce() {
    WindowPhase open = new Idle().opened(FIRST);

    assertThat(open.openedAt()).contains(FIRST);
    assertThat(open.opened(LATER).openedAt()).contains(FIRST);
    assertThat(open.closed()).isEqualTo(new Idle());
    assertThat(open.closed().openedAt()).isEmpty();
  }

  @Test
  void theNextWindowOpensAndClosesWhileAPlanIsAwaited() {
    WindowPhase awaiting = new Awaiting(FIRST, new Idle());
    assertThat(awaiting.openedAt()).isEmpty();

    WindowPhase open = awaiting.opened(LATER);

    assertThat(open.openedAt()).contains(LATER);
    assertThat(open).isEqualTo(new Awaiting(FIRST, new Gathering(LATER)));
    assertThat(open.closed()).isEqualTo(awaiting);
  }

  @Test
  void aPhaseIsRestoredFromItsTimes() {
    assertThat(WindowPhase.of(Optional.empty(), Optional.empty())).isEqualTo(new Idle());
    assertThat(WindowPhase.of(Optional.of(FIRST), Optional.empty()))
        .isEqualTo(new Gathering(FIRST));
    assertThat(WindowPhase.of(Optional.empty(), Optional.of(LATER)))
        .isEqualTo(new Awaiting(LATER, new Idle()));
    assertThat(WindowPhase.of(Optional.of(FIRST), Optional.of(LATER)))
        .isEqualTo(new Awaiting(LATER, new Gathering(FIRST)));
  }
}
