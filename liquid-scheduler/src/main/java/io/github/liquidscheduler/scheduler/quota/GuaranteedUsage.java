package io.github.liquidscheduler.scheduler.quota;

/**
 * The usage that a queue counts for in its parent: the larger of its used and its reserved amount.
 * Amounts by resource. Mutable.
 */
final class GuaranteedUsage {

  private final long[] used;
  private final long[] floor;

  /** Makes the usage of an idle queue without reservations. */
  GuaranteedUsage(int resources) {
    this(new long[resources], new long[resources]);
  }

  private GuaranteedUsage(long[] used, long[] floor) {
    this.used = used;
    this.floor = floor;
  }

  GuaranteedUsage copy() {
    return new GuaranteedUsage(used.clone(), floor.clone());
  }

  /** Returns the amount held by the queue's jobs, or counted for its children. */
  long used(int resource) {
    return used[resource];
  }

  long floor(int resource) {
    return floor[resource];
  }

  /** Returns the increase of the counted amount if usage grew by {@code more}. */
  long rise(int resource, long more) {
    return counted(resource, used[resource] + more) - counted(resource, used[resource]);
  }

  /** Returns the counted amount for a usage of {@code amount}. */
  long counted(int resource, long amount) {
    return Math.max(floor[resource], amount);
  }

  /**
   * Adds {@code more}, which may be negative, to the usage; returns the increase of the counted
   * amount.
   */
  long use(int resource, long more) {
    long rise = rise(resource, more);
    used[resource] += more;
    return rise;
  }

  /** Sets the reserved amount; returns the increase of the counted amount. */
  long setFloor(int resource, long amount) {
    long before = counted(resource, used[resource]);
    floor[resource] = amount;
    return counted(resource, used[resource]) - before;
  }
}
