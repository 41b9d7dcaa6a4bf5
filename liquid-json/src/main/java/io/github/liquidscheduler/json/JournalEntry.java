package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An event of a journal and what was recorded about it.
 *
 * @param line the number of the event's line, from 2, since the header is the first
 * @param decisions what was decided after it; empty if the journal does not say, because it records
 *     events only or ends right after this event
 */
public record JournalEntry(int line, ClusterEvent event, Optional<List<Decision>> decisions) {

  /** Checks that nothing is null and copies the decisions. */
  public JournalEntry {
    Objects.requireNonNull(event, "event");
    decisions = decisions.map(List::copyOf);
  }
}
