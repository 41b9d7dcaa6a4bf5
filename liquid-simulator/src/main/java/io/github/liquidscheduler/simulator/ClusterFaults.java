package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.simulator.failure.Outage;
import io.github.liquidscheduler.simulator.ledger.ClusterLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What fails and returns: queues the script, draws random outages one by one, and books both. */
final class ClusterFaults {

  private final ClusterLedger ledger;
  private final EventQueue queue;
  private final List<ClusterEvent> events = new ArrayList<>();
  private final Iterator<Outage> outages;
  private @Nullable Outage drawn;
  private int drawnIndex;

  ClusterFaults(Simulation options, ClusterLedger ledger, EventQueue queue) {
    this.ledger = ledger;
    this.queue = queue;
    outages =
        options.randomFailures == null
            ? Collections.emptyIterator()
            : options.randomFailures.outages(options.scheduler.view().topology());
    options.failures.events().forEach(this::add);
    draw();
  }

  /** Books the {@code index}th event and returns it, or nothing if it changes nothing. */
  Optional<ClusterEvent> take(int index) {
    ClusterEvent event = events.get(index);
    boolean changes = ledger.apply(event);
    if (drawn != null && index == drawnIndex) {
      if (changes) {
        add(new ClusterEvent.NodeReturned(at(drawn.until()), drawn.node()));
      }
      draw();
    }
    return changes ? Optional.of(event) : Optional.empty();
  }

  private void draw() {
    drawn = outages.hasNext() ? outages.next() : null;
    if (drawn != null) {
      drawnIndex = events.size();
      add(new ClusterEvent.NodeLost(at(drawn.from()), drawn.node()));
    }
  }

  private void add(ClusterEvent event) {
    queue.add(VirtualTime.of(event.at()), EventType.CLUSTER.key(events.size()));
    events.add(event);
  }

  private static Instant at(Duration time) {
    return VirtualTime.instant(time.toNanos());
  }
}
