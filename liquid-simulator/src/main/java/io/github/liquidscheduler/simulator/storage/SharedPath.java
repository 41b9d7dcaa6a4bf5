package io.github.liquidscheduler.simulator.storage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path from a storage that all transfers share alike at each moment. Mutable. */
final class SharedPath {
  private static final double NANOS = 1e9;

  private final EventClock clock;
  private final double bytesPerSecond;
  private final List<Moving> moving = new ArrayList<>();
  private Instant since;
  private @Nullable Runnable callOff;

  SharedPath(EventClock clock, double bytesPerSecond) {
    this.clock = clock;
    this.bytesPerSecond = bytesPerSecond;
    since = clock.instant();
  }

  /** The transfers under way. */
  static final class Moving {
    private final double bytes;
    private final Runnable arrived;
    private double left;

    private Moving(double bytes, Runnable arrived) {
      this.bytes = bytes;
      this.arrived = arrived;
      left = bytes;
    }
  }

  /** Begins a transfer, and reports its completion. */
  Moving begin(double bytes, Runnable arrived) {
    advance();
    Moving begun = new Moving(bytes, arrived);
    moving.add(begun);
    expect();
    return begun;
  }

  /** Returns the part moved. */
  double moved(Moving transfer) {
    advance();
    return transfer.bytes - transfer.left;
  }

  void cancel(Moving transfer) {
    advance();
    moving.remove(transfer);
    expect();
  }

  private void advance() {
    double each = seconds(Duration.between(since, clock.instant())) * rate();
    moving.forEach(transfer -> transfer.left = Math.max(0, transfer.left - each));
    since = clock.instant();
  }

  private double rate() {
    return moving.isEmpty() ? 0 : bytesPerSecond / moving.size();
  }

  private void expect() {
    if (callOff != null) {
      callOff.run();
    }
    callOff = null;
    moving.stream()
        .mapToDouble(transfer -> transfer.left)
        .min()
        .ifPresent(
            least ->
                callOff =
                    clock.schedule(
                        Duration.ofNanos((long) Math.ceil(least / rate() * NANOS)), this::arrive));
  }

  private void arrive() {
    callOff = null;
    advance();
    List<Moving> there = moving.stream().filter(transfer -> transfer.left < 1).toList();
    moving.removeAll(there);
    expect();
    there.forEach(transfer -> transfer.arrived.run());
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }
}
