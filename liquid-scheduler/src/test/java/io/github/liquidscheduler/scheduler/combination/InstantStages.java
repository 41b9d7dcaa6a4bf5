package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.List;

/**
 * Stages on which several events come at one instant: where an event is decided in parts, the
 * others come between.
 */
final class InstantStages {

  private static final List<Integer> TWO_NODES = List.of(4, 4);

  private InstantStages() {}

  /** Two jobs wait for an end, and a more urgent one comes at the same instant. */
  static Stage instant() {
    return Stage.of(
        "another event at the same instant",
        List.of(1, 4),
        Arrival.of(0, "host", Role.HOST, 1, 300).in("b"),
        Arrival.of(0, "holder", Role.HOLDER, 4, 100),
        Arrival.of(10, "long", Role.LONG, 2, 400).staying(),
        Arrival.of(11, "small", Role.SMALL, 2, 50).in("a").staying(),
        Arrival.of(100, "late", Role.LATE, 2, 30));
  }

  /** The same, but that another may be stopped for the one that comes, if one more stays free. */
  static Stage enlarged() {
    return Stage.of(
        "a larger job at the same instant",
        List.of(1, 6),
        Arrival.of(0, "host", Role.HOST, 1, 300).in("b"),
        Arrival.of(0, "other", Role.HOLDER, 2, 300),
        Arrival.of(0, "holder", Role.HOLDER, 4, 100),
        Arrival.of(10, "long", Role.LONG, 2, 400).staying(),
        Arrival.of(11, "small", Role.SMALL, 2, 50).in("a").staying(),
        Arrival.of(100, "late", Role.LATE, 4, 30));
  }

  /** Two jobs wait for an end, at which both get smaller. */
  static Stage updates() {
    return updates("updates at the same instant", 2);
  }

  /** The same, but that both fit. */
  static Stage updatesOfTwo() {
    return updates("updates at the same instant, four free GPUs", 4);
  }

  private static Stage updates(String name, int free) {
    return Stage.of(
        name,
        List.of(1, free),
        Arrival.of(0, "host", Role.HOST, 1, 300),
        Arrival.of(0, "holder", Role.HOLDER, free, 100).staying(),
        Arrival.of(10, "small", Role.SMALL, 2, 80).in("a"),
        Arrival.of(11, "taker", Role.TAKER, 2, 50),
        Arrival.of(100, "small", Role.SMALL, 1, 80).in("a"),
        Arrival.of(100, "taker", Role.TAKER, 1, 50));
  }

  /** Queues are announced when two jobs of one already wait, which get smaller then. */
  static Stage searches() {
    return searches(
        "queues announced and updates at the same instant", Role.LATE, Role.LATE, Role.TAKER);
  }

  /** The same, but that those run whose sizes may change. */
  static Stage searchesAmongHolders() {
    return searches(
        "queues announced and updates at the same instant, holders",
        Role.HOLDER,
        Role.HOLDER,
        Role.TAKER);
  }

  /** The same, but that two alike wait. */
  static Stage searchesOfTwoAlike() {
    return searches(
        "queues announced and updates of two alike at the same instant",
        Role.HOLDER,
        Role.LONG,
        Role.SMALL);
  }

  private static Stage searches(String name, Role holder, Role others, Role second) {
    return Stage.of(
            name,
            TWO_NODES,
            Arrival.of(0, "holder", holder, 4, 100).in("a"),
            Arrival.of(1, "host", others, 2, 200).in("a"),
            Arrival.of(2, "other", others, 2, 200).in("a"),
            Arrival.of(3, "small", Role.SMALL, 2, 80),
            Arrival.of(4, "taker", second, 2, 50),
            Arrival.of(5, "small", Role.SMALL, 1, 80),
            Arrival.of(5, "taker", second, 1, 50))
        .withTreeAt(5);
  }

  /** The same, but that both need a node of their own then, from which one victim can move. */
  static Stage searchesForNodes() {
    return Stage.of(
            "queues announced and updates at the same instant, one free GPU",
            List.of(2, 2, 1, 4),
            Arrival.of(0, "other", Role.LATE, 4, 200).in("a"),
            Arrival.of(0, "first", Role.SMALL, 1, 2).in("a"),
            Arrival.of(0, "holder", Role.LATE, 1, 200).in("a"),
            Arrival.of(0, "host", Role.LATE, 1, 200).in("a"),
            Arrival.of(1, "early", Role.LATE, 2, 200).in("a"),
            Arrival.of(3, "small", Role.SMALL, 2, 80).together(),
            Arrival.of(4, "taker", Role.TAKER, 2, 50),
            Arrival.of(5, "taker", Role.TAKER, 2, 50).together())
        .withTreeAt(5);
  }

  /**
   * Two jobs that each need a node wait for an end of another queue, which leaves one victim of
   * their own on either, and the second gets smaller then.
   */
  static Stage searchesInOneQueue() {
    return Stage.of(
        "an end and an update at the same instant, a victim on each node",
        List.of(2, 2),
        Arrival.of(0, "first", Role.SMALL, 1, 5).in("a"),
        Arrival.of(0, "early", Role.SMALL, 1, 400),
        Arrival.of(0, "second", Role.SMALL, 1, 5).in("a"),
        Arrival.of(0, "small", Role.SMALL, 1, 400),
        Arrival.of(6, "holder", Role.HOLDER, 2, 94).in("a"),
        Arrival.of(10, "taker", Role.TAKER, 2, 50).together(),
        Arrival.of(11, "host", Role.HOST, 2, 80).together(),
        Arrival.of(100, "host", Role.HOST, 1, 80));
  }

  /** Two jobs are kept by a third that is cancelled when the second needs one node. */
  static Stage blockedForNodes() {
    return Stage.of(
            "an update behind a job of all GPUs",
            List.of(2, 2, 2),
            Arrival.of(0, "holder", Role.HOLDER, 1, 300),
            Arrival.of(0, "first", Role.SMALL, 1, 5).in("a"),
            Arrival.of(0, "host", Role.HOST, 1, 300),
            Arrival.of(6, "wall", Role.WALL, 6, 500),
            Arrival.of(10, "long", Role.LONG, 2, 400),
            Arrival.of(11, "small", Role.SMALL, 2, 80),
            Arrival.of(40, "small", Role.SMALL, 2, 80).together())
        .with(new ClusterEvent.JobCancelled(Instant.ofEpochSecond(40), JobId.of("wall")));
  }

  /** Two jobs are kept by a third that is cancelled when both get smaller. */
  static Stage blocked() {
    return Stage.of(
            "updates behind a job of all GPUs",
            TWO_NODES,
            Arrival.of(0, "holder", Role.HOLDER, 1, 300),
            Arrival.of(0, "first", Role.SMALL, 3, 5).in("a"),
            Arrival.of(0, "host", Role.HOST, 1, 300),
            Arrival.of(6, "wall", Role.WALL, 8, 500),
            Arrival.of(10, "long", Role.LONG, 2, 400),
            Arrival.of(11, "small", Role.SMALL, 2, 80),
            Arrival.of(40, "long", Role.LONG, 1, 400),
            Arrival.of(40, "small", Role.SMALL, 1, 80))
        .with(new ClusterEvent.JobCancelled(Instant.ofEpochSecond(40), JobId.of("wall")));
  }

  /** A node is lost at the instant at which two jobs that a plan has left out take others back. */
  static Stage lossOfBorrower() {
    return Stage.of(
            "node lost as a plan leaves jobs out",
            List.of(2, 2, 2, 4),
            Arrival.of(0, "other", Role.LATE, 4, 200).in("a"),
            Arrival.of(0, "holder", Role.LATE, 2, 200).in("a"),
            Arrival.of(0, "host", Role.LATE, 2, 200).in("a"),
            Arrival.of(0, "early", Role.LATE, 2, 200).in("a"),
            Arrival.of(10, "small", Role.SMALL, 2, 80).in("b"),
            Arrival.of(10, "taker", Role.TAKER, 2, 50).in("b"))
        .with(new ClusterEvent.NodeLost(Instant.ofEpochSecond(16), NodeId.of("n2")));
  }
}
