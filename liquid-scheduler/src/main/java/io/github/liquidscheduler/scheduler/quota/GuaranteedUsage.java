package io.github.liquidscheduler.scheduler.quota;

/**
 * What counts of a queue where it is a part of another: what it uses, or, if that is more, what is
 * kept for it, since nobody else may have it. Amounts by resource. Mutable.
 */
final class GuaranteedUsage {

  private final long[] used;
  private final long[] floor;

  /** Makes the amounts of a queue that uses nothing and for which nothing is kept. */
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

  /** Has the same amounts as another of as many resources. */
  void copyFrom(GuaranteedUsage other) {
    System.arraycopy(other.used, 0, used, 0, used.length);
    System.arraycopy(other.floor, 0, floor, 0, floor.length);
  }

  /** Returns what the queue's jobs hold; if it has parts, what counts of these. */
  long used(int resource) {
    return used[resource];
  }

  long floor(int resource) {
    return floor[resource];
  }

  /** Returns by how much more would count if the queue used more. */
  long rise(int resource, long more) {
    return counted(resource, used[resource] + more) - counted(resource, used[resource]);
  }

  /** Returns how much would count if the queue used so much. */
  long counted(int resource, long amount) {
    return Math.max(floor[resource], amount);
  }

  /** Has the queue use more, or less if negative; returns how much more counts. */
  long use(int resource, long more) {
    long rise = rise(resource, more);
    used[resource] += more;
    return rise;
  }

  /** Keeps so much for the queue; returns how much more counts. */
  long setFloor(int resource, long amount) {
    long before = counted(resource, used[resource]);
    floor[resource] = amount;
    return counted(resource, used[resource]) - before;
  }
}
