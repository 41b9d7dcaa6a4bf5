package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets the leases of a store that lives in real time expire when virtual time has passed. */
final class ExpiringInVirtualTime implements LeaseStore {
  private final LeaseStore store;
  private final InstantSource clock;
  private final String prefix;
  private @Nullable Lease held;
  private Instant expiry = Instant.MAX;

  ExpiringInVirtualTime(LeaseStore store, InstantSource clock, String prefix) {
    this.store = store;
    this.clock = clock;
    this.prefix = prefix;
  }

  @Override
  public Optional<Lease> acquire(String key, String holder, Duration timeToLive) {
    expire();
    Optional<Lease> lease = store.acquire(prefix + key, holder, Duration.ofMinutes(1));
    if (lease.isPresent()) {
      held = lease.get();
      expiry = clock.instant().plus(timeToLive);
    }
    return lease;
  }

  @Override
  public boolean renew(Lease lease) {
    expire();
    boolean renewed = store.renew(lease);
    if (renewed) {
      expiry = clock.instant().plus(JobHistory.TIME_TO_LIVE);
    }
    return renewed;
  }

  @Override
  public void release(Lease lease) {
    store.release(lease);
  }

  @Override
  public Optional<Lease> read(String key) {
    expire();
    return store.read(prefix + key);
  }

  @Override
  public boolean save(Lease lease, String value) {
    expire();
    return store.save(lease, value);
  }

  @Override
  public Optional<String> load(String key) {
    return store.load(prefix + key);
  }

  private void expire() {
    if (held != null && !clock.instant().isBefore(expiry)) {
      store.release(held);
      held = null;
    }
  }
}
