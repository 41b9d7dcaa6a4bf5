package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.simulator.failure.Outage;
import io.github.liquidscheduler.simulator.ledger.ClusterLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Failures and returns of nodes and GPUs, of a script and drawn one by one; books both. */
final class ClusterFaults {

  /** The number of random outages without the end of a job after which none is expected. */
  private static final int MOST_OUTAGES_WITHOUT_END = 1_000_000;

  private final Instant start;
  private final ClusterLedger ledger;
  private final EventQueue queue;
  private final Map<Integer, ClusterEvent> pending = new HashMap<>();
  private final Iterator<Outage> outages;
  private final boolean isEndless;
  private int added;
  private int outagesWithoutEnd;
  private int ended;
  private @Nullable Outage drawn;
  private int drawnIndex;

  ClusterFaults(Simulation options, ClusterLedger ledger, EventQueue queue) {
    start = options.start;
    this.ledger = ledger;
    this.queue = queue;
    outages =
        options.randomFailures == null
            ? Collections.emptyIterator()
            : options.randomFailures.outages(options.scheduler.view().topology());
    isEndless = options.until == null;
    options.failures.startingAt(start).forEach(this::add);
    draw();
  }

  /**
   * Books the {@code index}th event and returns it, or nothing if it changes nothing.
   *
   * @param ended how many jobs have ended
   * @throws IllegalArgumentException if nodes fail so often that no job ends, and nothing else ends
   *     the simulation
   */
  Optional<ClusterEvent> take(int index, int ended) {
    ClusterEvent event = Objects.requireNonNull(pending.remove(index));
    boolean changes = ledger.apply(event);
    if (drawn != null && index == drawnIndex) {
      requireProgress(ended);
      if (changes) {
        add(new ClusterEvent.NodeReturned(at(drawn.until()), drawn.node()));
      }
      draw();
    }
    return changes ? Optional.of(event) : Optional.empty();
  }

  private void requireProgress(int jobs) {
    outagesWithoutEnd = jobs == ended ? outagesWithoutEnd + 1 : 0;
    ended = jobs;
    if (isEndless && outagesWithoutEnd > MOST_OUTAGES_WITHOUT_END) {
      throw new IllegalArgumentException(
          ("jobs must end between random failures, but none did during %d of them. Let nodes fail"
                  + " less often, repair them sooner, or set the end of the simulation")
              .formatted(MOST_OUTAGES_WITHOUT_END));
    }
  }

  private void draw() {
    drawn = outages.hasNext() ? outages.next() : null;
    if (drawn != null) {
      drawnIndex = added;
      add(new ClusterEvent.NodeLost(at(drawn.from()), drawn.node()));
    }
  }

  private void add(ClusterEvent event) {
    queue.add(VirtualTime.between(start, event.at()), EventType.CLUSTER, added);
    pending.put(added++, event);
  }

  private Instant at(Duration time) {
    return VirtualTime.instant(start, time.toNanos());
  }
}
