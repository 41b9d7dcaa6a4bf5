package io.github.liquidscheduler.elastic.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Keeps leases that expire by themselves, and one saved value for each key. Leases are fenced by
 * their tokens: a former holder can neither renew its lease nor overwrite what its successor saved.
 *
 * <p>Implementations are thread-safe, may block, and throw {@link java.io.UncheckedIOException}
 * when they cannot reach what they keep leases in.
 */
public interface LeaseStore {

  /**
   * Acquires the lease on a key unless somebody holds it.
   *
   * @param holder where the leader is reached
   * @param timeToLive when the lease expires unless it is renewed; a store may round it up
   * @return the lease, or nothing if somebody holds it
   */
  Optional<Lease> acquire(String key, String holder, Duration timeToLive);

  /** Makes a lease live for its whole time again; returns true if it was still held. */
  boolean renew(Lease lease);

  /** Gives a lease back; does nothing if it is no longer held. */
  void release(Lease lease);

  /** Returns the lease on a key, or nothing if nobody holds it. */
  Optional<Lease> read(String key);

  /** Saves a value under the lease's key if that is still held, and returns whether it is. */
  boolean save(Lease lease, String value);

  /** Returns the value that was saved last under a key. */
  Optional<String> load(String key);
}
