package io.github.liquidscheduler.reconcile;

import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has gone wrong, counted by kind; the first of each kind is logged. Thread-safe. */
final class FailureCounts {
  private static final Logger LOG = LoggerFactory.getLogger(FailureCounts.class);
  private final Map<String, Long> counts = new TreeMap<>();

  synchronized void note(String what, Throwable failure) {
    String kind = what + " " + failure.getClass().getSimpleName();
    if (counts.merge(kind, 1L, Long::sum) == 1) {
      LOG.warn("{} failed; further failures of this kind are only counted", what, failure);
    }
  }

  synchronized void note(String what, String why) {
    if (counts.merge(what, 1L, Long::sum) == 1) {
      LOG.warn("{}: {}; further ones are only counted", what, why);
    }
  }

  synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }
}
