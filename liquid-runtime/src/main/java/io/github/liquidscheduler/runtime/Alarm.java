package io.github.liquidscheduler.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One wake-up that is set at a time. For the deciding thread only. */
final class Alarm {
  private final WakeUpTimer timer;
  private final Runnable ring;
  private @Nullable Instant set;
  private AtomicBoolean hasRung = new AtomicBoolean();
  private Runnable callOff = () -> {};

  Alarm(WakeUpTimer timer, Runnable ring) {
    this.timer = timer;
    this.ring = ring;
  }

  /** Wakes at a time after {@code now}, and at no other; again if it woke too early for that. */
  void set(Instant time, Instant now) {
    if (time.equals(set) && !hasRung.get()) {
      return;
    }
    clear();
    AtomicBoolean rung = new AtomicBoolean();
    hasRung = rung;
    set = time;
    callOff = timer.schedule(Duration.between(now, time), () -> ring(rung));
  }

  private void ring(AtomicBoolean rung) {
    rung.set(true);
    ring.run();
  }

  void clear() {
    callOff.run();
    callOff = () -> {};
    set = null;
  }
}
