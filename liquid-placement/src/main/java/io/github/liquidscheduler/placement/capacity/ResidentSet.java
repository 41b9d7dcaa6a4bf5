package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.Sharing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that share a GPU of some type. GPUs with equal resident sets are equal candidates for
 * co-location. A value; its hash is computed once.
 */
public final class ResidentSet {

  private final int pool;
  private final List<CoRunnerKey> coRunnerKeys;
  private final int hash;
  private final int share;
  private final long memory;
  private final boolean isExclusive;

  ResidentSet(int pool, List<CoRunnerKey> coRunnerKeys) {
    this.pool = pool;
    this.coRunnerKeys = List.copyOf(coRunnerKeys);
    hash = 31 * this.coRunnerKeys.hashCode() + pool;
    int shares = 0;
    long bytes = 0;
    boolean isOneExclusive = false;
    for (CoRunnerKey key : this.coRunnerKeys) {
      shares += key.share().thousandths();
      bytes += key.memory().bytes();
      isOneExclusive |= key.sharing() instanceof Sharing.Exclusive;
    }
    share = shares;
    memory = bytes;
    isExclusive = isOneExclusive;
  }

  /** Returns the share of the GPU's compute that they hold, in thousandths. */
  public int share() {
    return share;
  }

  /** Returns the device memory that they hold, in bytes. */
  public long memory() {
    return memory;
  }

  /** Returns true if any of them is exclusive. */
  public boolean isExclusive() {
    return isExclusive;
  }

  /** Returns the position of the GPU's pool in {@link CapacityIndex#pools()}. */
  public int pool() {
    return pool;
  }

  /** Returns the tasks on the GPU in the order of their arrival, at least one. */
  public List<CoRunnerKey> coRunnerKeys() {
    return coRunnerKeys;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResidentSet that
        && hash == that.hash
        && pool == that.pool
        && coRunnerKeys.equals(that.coRunnerKeys);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return coRunnerKeys.toString();
  }
}
