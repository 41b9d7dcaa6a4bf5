package io.github.liquidscheduler.simulator;

/** The types of events, in their order at one instant. */
enum EventType {
  /** A job has done its work. */
  END(0),
  /** A job runs out of memory. */
  OUT_OF_MEMORY(1),
  /** A node or GPU fails, drains or returns. */
  CLUSTER(2),
  /** A job is submitted. */
  ARRIVAL(3),
  /** A job reports its speed. */
  REPORT(4),
  /** A plan is there. */
  PLAN(5),
  /** A change of a job's size goes on. */
  RESIZE(6),
  /** A job has measured how fast it is at some of its sizes. */
  PROFILE(7),
  /** A worker becomes slow. */
  SLOWDOWN(8),
  /** A slow worker is as fast as before, or is replaced. */
  RECOVERY(9),
  /** A launch reads, or what comes from the storage is there. */
  TRANSFER(10);

  private static final EventType[] BY_TURN = values();

  private final int turn;

  EventType(int turn) {
    this.turn = turn;
  }

  /** Returns the key under which an {@link EventQueue} holds this, of the {@code index}th thing. */
  long key(int index) {
    return (long) turn << 32 | index;
  }

  static EventType of(long key) {
    return BY_TURN[(int) (key >>> 32)];
  }

  static int index(long key) {
    return (int) key;
  }
}
