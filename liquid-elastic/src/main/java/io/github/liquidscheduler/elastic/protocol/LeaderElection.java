package io.github.liquidscheduler.elastic.protocol;

import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One candidate for leading a job: acquires the lease when nobody holds it, renews it while it
 * leads, and knows by its own clock when it leads no longer, whether or not the store can be
 * reached. Not thread-safe.
 */
public final class LeaderElection {
  private final LeaseStore store;
  private final String key;
  private final String holder;
  private final Duration timeToLive;
  private final Duration renewal;
  private @Nullable Lease lease;
  private Instant renewed = Instant.MIN;

  /** Returns a candidate, reached at {@code holder}, for the lease of a job. */
  public LeaderElection(
      LeaseStore store, String key, String holder, Duration timeToLive, Duration renewal) {
    this.store = store;
    this.key = key;
    this.holder = holder;
    this.timeToLive = timeToLive;
    this.renewal = renewal;
  }

  /** Acquires or renews if that is due, and returns the lease if this candidate leads. */
  public Optional<Lease> tick(Instant now) {
    Lease held = held(now).orElse(null);
    if (held == null) {
      lease = store.acquire(key, holder, timeToLive).orElse(null);
      renewed = now;
    } else if (!now.isBefore(renewed.plus(renewal))) {
      lease = store.renew(held) ? held : null;
      renewed = now;
    }
    return held(now);
  }

  /** Returns the lease if this candidate still leads, by its own clock alone. */
  public Optional<Lease> held(Instant now) {
    return lease != null && now.isBefore(renewed.plus(timeToLive))
        ? Optional.of(lease)
        : Optional.empty();
  }

  /** Gives the lease back; it expires by itself if the store cannot be reached. */
  public void resign() {
    Lease given = lease;
    lease = null;
    if (given != null) {
      store.release(given);
    }
  }
}
