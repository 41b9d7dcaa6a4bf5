package io.github.liquidscheduler.runtime;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The times at which events are taken: at beats from a first one on, or as they come. */
record Rhythm(Instant start, @Nullable Duration beat) {

  /** Returns the first time from {@code wanted} on at which events are taken. */
  Instant atOrAfter(Instant wanted) {
    if (beat == null || !wanted.isAfter(start)) {
      return beat == null ? wanted : start;
    }
    Duration passed = Duration.between(start, wanted);
    long beats = passed.dividedBy(beat);
    Instant last = start.plus(beat.multipliedBy(beats));
    return last.equals(wanted) ? last : last.plus(beat);
  }
}
