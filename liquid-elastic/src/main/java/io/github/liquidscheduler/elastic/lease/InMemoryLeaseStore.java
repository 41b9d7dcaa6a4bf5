package io.github.liquidscheduler.elastic.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps leases in this process: for tests, and for jobs whose agents share one process. */
public final class InMemoryLeaseStore implements LeaseStore {
  private final InstantSource clock;
  private final Map<String, Held> held = new HashMap<>();
  private final Map<String, String> saved = new HashMap<>();
  private long lastToken;

  private record Held(Lease lease, Duration timeToLive, Instant expiry) {}

  /** Returns an empty store that tells time by this clock. */
  public InMemoryLeaseStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized Optional<Lease> acquire(String key, String holder, Duration timeToLive) {
    if (read(key).isPresent()) {
      return Optional.empty();
    }
    Lease lease = new Lease(key, holder, ++lastToken);
    hold(lease, timeToLive);
    return Optional.of(lease);
  }

  @Override
  public synchronized boolean renew(Lease lease) {
    boolean holds = holds(lease);
    Held record = held.get(lease.key());
    if (holds && record != null) {
      hold(lease, record.timeToLive());
    }
    return holds;
  }

  @Override
  public synchronized void release(Lease lease) {
    if (holds(lease)) {
      held.remove(lease.key());
    }
  }

  @Override
  public synchronized Optional<Lease> read(String key) {
    return Optional.ofNullable(held.get(key))
        .filter(record -> clock.instant().isBefore(record.expiry()))
        .map(Held::lease);
  }

  @Override
  public synchronized boolean save(Lease lease, String value) {
    boolean holds = holds(lease);
    if (holds) {
      saved.put(lease.key(), value);
    }
    return holds;
  }

  @Override
  public synchronized Optional<String> load(String key) {
    return Optional.ofNullable(saved.get(key));
  }

  private boolean holds(Lease lease) {
    return read(lease.key()).equals(Optional.of(lease));
  }

  private void hold(Lease lease, Duration timeToLive) {
    held.put(lease.key(), new Held(lease, timeToLive, clock.instant().plus(timeToLive)));
  }
}
