package io.github.liquidscheduler.placement.capacity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who shares a GPU of some kind. GPUs with equal crowds are the same to whoever looks for company.
 * A value; its hash is computed once.
 */
public final class ResidentSet {

  private final int pool;
  private final List<CoRunnerKey> tenants;
  private final int hash;

  ResidentSet(int pool, List<CoRunnerKey> tenants) {
    this.pool = pool;
    this.tenants = List.copyOf(tenants);
    hash = 31 * this.tenants.hashCode() + pool;
  }

  /** Returns the position of the GPU's pool in {@link CapacityIndex#pools()}. */
  public int pool() {
    return pool;
  }

  /** Returns the tasks on the GPU in the order of their arrival, at least one. */
  public List<CoRunnerKey> tenants() {
    return tenants;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ResidentSet that
        && hash == that.hash
        && pool == that.pool
        && tenants.equals(that.tenants);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return tenants.toString();
  }
}
