package io.github.liquidscheduler.elastic.protocol;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The times of the last mini-batches. */
final class MiniBatchTimes {
  private static final int REMEMBERED = 20;

  private final Deque<Duration> last = new ArrayDeque<>();

  void add(Duration time) {
    last.addLast(time);
    if (last.size() > REMEMBERED) {
      last.removeFirst();
    }
  }

  /** Returns the median, or zero if nothing was timed yet. */
  Duration median() {
    return last.isEmpty() ? Duration.ZERO : median(List.copyOf(last));
  }

  /** Returns in how many mini-batches this time will have passed, at least one. */
  long batchesIn(Duration time) {
    long median = median().toNanos();
    return median == 0 ? 1 : Math.max(1, Math.ceilDiv(time.toNanos(), median));
  }

  static Duration median(List<Duration> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }
}
