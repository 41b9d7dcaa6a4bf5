package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The times of failures, drains and returns: events of nodes and GPUs only, in the order of their
 * times, which count from {@link Instant#EPOCH} as if the trace started then. Immutable.
 */
public final class FailureScript {

  /** The script of a cluster in which nothing fails. */
  public static final FailureScript NONE = new FailureScript(List.of());

  private final List<ClusterEvent> events;

  private FailureScript(List<ClusterEvent> events) {
    this.events = events;
  }

  /**
   * Returns the script of {@code events} on the cluster {@code topology}.
   *
   * @throws IllegalArgumentException if an event is earlier than the one before it or the epoch, is
   *     about a job, names a node or GPU that is not there, or changes nothing (such as the return
   *     of a node that never left)
   */
  public static FailureScript of(ClusterTopology topology, List<ClusterEvent> events) {
    ScriptCheck check = new ScriptCheck(topology);
    events.forEach(check::add);
    return new FailureScript(List.copyOf(events));
  }

  /**
   * Reads a script from a CSV file with the header {@code time,event,target}: seconds since the
   * start of the trace; {@code node-lost}, {@code node-draining}, {@code node-returned}, {@code
   * gpu-lost} or {@code gpu-returned}; and the node, such as {@code n7}, or the GPU, such as {@code
   * n7:3}.
   *
   * @throws IllegalArgumentException if there is no such file or a line breaks a rule; the message
   *     names the file, the line and the rule
   */
  public static FailureScript read(Path file, ClusterTopology topology) {
    return new FailureScript(new ScriptReader(file, topology).read());
  }

  /** Returns the events in the order of their times, in a simulation that starts at an instant. */
  public List<ClusterEvent> startingAt(Instant start) {
    return start.equals(Instant.EPOCH)
        ? events
        : events.stream().map(event -> moved(event, start)).toList();
  }

  private static ClusterEvent moved(ClusterEvent event, Instant start) {
    Instant at = moved(event.at(), start);
    return switch (event) {
      case ClusterEvent.NodeLost lost -> new ClusterEvent.NodeLost(at, lost.node());
      case ClusterEvent.NodeReturned returned -> new ClusterEvent.NodeReturned(at, returned.node());
      case ClusterEvent.NodeDraining draining ->
          new ClusterEvent.NodeDraining(
              at, draining.node(), draining.deadline().map(time -> moved(time, start)));
      case ClusterEvent.NodeAdded added ->
          new ClusterEvent.NodeAdded(at, added.node(), added.domains());
      case ClusterEvent.NodeRetired retired -> new ClusterEvent.NodeRetired(at, retired.node());
      case ClusterEvent.GpuLost lost -> new ClusterEvent.GpuLost(at, lost.gpu());
      case ClusterEvent.GpuReturned returned -> new ClusterEvent.GpuReturned(at, returned.gpu());
      default -> throw new IllegalStateException("a script has events of nodes only: " + event);
    };
  }

  private static Instant moved(Instant time, Instant start) {
    return start.plus(Duration.between(Instant.EPOCH, time));
  }

  /** Returns the events in the order of their times. */
  public List<ClusterEvent> events() {
    return events;
  }
}
