package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stages on which one event follows another. */
final class BasicStages {

  private static final List<Integer> TWO_NODES = List.of(4, 4);

  private BasicStages() {}

  /** All GPUs are held when a job wants a node. */
  static Stage full() {
    return Stage.of(
        "full cluster",
        TWO_NODES,
        Arrival.of(0, "holder", Role.HOLDER, 4, 100),
        Arrival.of(1, "host", Role.HOST, 4, 200),
        Arrival.of(10, "taker", Role.TAKER, 4, 50),
        Arrival.of(20, "small", Role.SMALL, 1, 30),
        Arrival.of(25, "long", Role.LONG, 1, 400));
  }

  /** Two GPUs are free, a job wants four, and others would fit. */
  static Stage partly() {
    return Stage.of(
        "two free GPUs",
        TWO_NODES,
        Arrival.of(0, "holder", Role.HOLDER, 4, 100),
        Arrival.of(1, "host", Role.HOST, 2, 200),
        Arrival.of(10, "taker", Role.TAKER, 4, 50),
        Arrival.of(20, "small", Role.SMALL, 1, 30),
        Arrival.of(25, "long", Role.LONG, 2, 400));
  }

  /** Half of each node is free, a job wants a whole one, and its queue has another until 40. */
  static Stage scattered() {
    return Stage.of(
        "half of each node free",
        List.of(4, 4, 2),
        Arrival.of(0, "early", Role.SMALL, 2, 40),
        Arrival.of(0, "first", Role.SMALL, 2, 5).in("a"),
        Arrival.of(0, "holder", Role.HOLDER, 2, 100),
        Arrival.of(0, "second", Role.SMALL, 2, 5).in("a"),
        Arrival.of(0, "host", Role.HOST, 2, 200),
        Arrival.of(10, "taker", Role.TAKER, 4, 50).together(),
        Arrival.of(20, "small", Role.SMALL, 1, 30),
        Arrival.of(25, "long", Role.LONG, 1, 400));
  }

  /** Several jobs wait for one end, at which another comes. */
  static Stage queue() {
    return Stage.of(
        "several waiting for one end",
        List.of(2, 6),
        Arrival.of(0, "host", Role.HOST, 2, 300).in("b"),
        Arrival.of(0, "holder", Role.HOLDER, 6, 100),
        Arrival.of(10, "long", Role.LONG, 3, 400),
        Arrival.of(11, "taker", Role.TAKER, 2, 50),
        Arrival.of(12, "small", Role.SMALL, 2, 20),
        Arrival.of(100, "late", Role.LATE, 2, 30));
  }

  /** All GPUs are held, and a job wants a node that has no other right than its queue's. */
  static Stage equals() {
    return Stage.of(
        "full cluster, equal ranks",
        TWO_NODES,
        Arrival.of(0, "holder", Role.HOLDER, 4, 100),
        Arrival.of(1, "host", Role.HOST, 4, 200),
        Arrival.of(10, "small", Role.SMALL, 4, 50));
  }

  /** A job wants a node, and one of those there fits elsewhere. */
  static Stage victims() {
    return Stage.of(
        "one victim fits elsewhere",
        List.of(4, 1),
        Arrival.of(0, "first", Role.SMALL, 1, 5).in("a"),
        Arrival.of(0, "holder", Role.HOLDER, 1, 100),
        Arrival.of(0, "other", Role.HOLDER, 3, 200),
        Arrival.of(40, "taker", Role.TAKER, 4, 50).together(),
        Arrival.of(45, "small", Role.SMALL, 1, 30));
  }

  /** A job wants a node, and one that has less than it asked for fits elsewhere as it is. */
  static Stage smallVictim() {
    return Stage.of(
        "one victim fits elsewhere as it is",
        List.of(4, 1),
        Arrival.of(0, "first", Role.SMALL, 1, 5),
        Arrival.of(0, "host", Role.HOST, 3, 20),
        Arrival.of(0, "holder", Role.HOLDER, 2, 400),
        Arrival.of(40, "late", Role.LATE, 4, 50).together());
  }

  /** Queues are announced when two jobs of one already wait. */
  static Stage treeLater() {
    return Stage.of(
            "queues announced later",
            TWO_NODES,
            Arrival.of(0, "holder", Role.HOLDER, 4, 100),
            Arrival.of(1, "host", Role.HOST, 4, 200),
            Arrival.of(10, "long", Role.LONG, 4, 400).in("b"),
            Arrival.of(11, "small", Role.SMALL, 4, 50),
            Arrival.of(12, "taker", Role.TAKER, 4, 100))
        .withTreeAt(30);
  }

  /** Two jobs want the same node, and others must go elsewhere first. */
  static Stage two() {
    return Stage.of(
        "two want the same node",
        TWO_NODES,
        Arrival.of(0, "holder", Role.HOLDER, 2, 100),
        Arrival.of(0, "early", Role.SMALL, 1, 40),
        Arrival.of(0, "first", Role.SMALL, 1, 5).in("a"),
        Arrival.of(0, "host", Role.HOST, 2, 200),
        Arrival.of(9, "long", Role.LONG, 4, 400).together(),
        Arrival.of(10, "taker", Role.TAKER, 4, 50).together());
  }

  /** A node drains, and what ran there competes with those that wait. */
  static Stage drain() {
    return Stage.of(
            "node draining",
            TWO_NODES,
            Arrival.of(0, "holder", Role.HOLDER, 4, 65),
            Arrival.of(0, "host", Role.HOST, 4, 80),
            Arrival.of(10, "taker", Role.TAKER, 4, 100),
            Arrival.of(12, "small", Role.SMALL, 4, 90))
        .with(
            new ClusterEvent.NodeDraining(
                Instant.ofEpochSecond(40),
                NodeId.of("n1"),
                Optional.of(Instant.ofEpochSecond(60))));
  }

  /** A node is lost, and returns. */
  static Stage loss() {
    Stage full = full();
    return new Stage("node lost", full.gpus(), full.jobs(), List.of(), 0, full.support())
        .with(
            new ClusterEvent.NodeLost(Instant.ofEpochSecond(40), NodeId.of("n0")),
            new ClusterEvent.NodeReturned(Instant.ofEpochSecond(60), NodeId.of("n0")));
  }
}
