package io.github.liquidscheduler.scheduler.order;

/** A waiting job of a test. */
record SomeJob(String name, SomeQueue queue, long rank, long sequence, Amounts asks)
    implements TurnJob {

  static SomeJob of(String name, SomeQueue queue, long sequence, long... asks) {
    return new SomeJob(name, queue, 0, sequence, Amounts.of(asks));
  }

  SomeJob ranked(long rank) {
    return new SomeJob(name, queue, rank, sequence, asks);
  }

  @Override
  public String toString() {
    return name + " of queue " + queue.index() + " rank " + rank + " asks " + asks;
  }
}
