package io.github.liquidscheduler.placement.capacity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who shares a GPU of some type. GPUs with equal resident sets are the same to whoever looks for
 * co-runners. A value; its hash is computed once.
 */
public final class ResidentSet {

  private final int pool;
  private final List<CoRunnerKey> coRunnerKeys;
  private final int hash;

  ResidentSet(int pool, List<CoRunnerKey> coRunnerKeys) {
    this.pool = pool;
    this.coRunnerKeys = List.copyOf(coRunnerKeys);
    hash = 31 * this.coRunnerKeys.hashCode() + pool;
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
