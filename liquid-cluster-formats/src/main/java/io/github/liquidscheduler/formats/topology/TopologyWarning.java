package io.github.liquidscheduler.formats.topology;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Something that a cluster does not have of its file, or has although its file does not tell it.
 *
 * @param what the state, resource, amount or line, as {@code kind} says
 * @param nodes the names of the nodes, in the order of the file; empty if it is about no node
 */
public record TopologyWarning(Kind kind, String what, List<String> nodes) {

  private static final int MOST_NAMES = 4;

  /** What a warning is about. */
  public enum Kind {
    /** Nodes that run no jobs are left out; {@code what} is their state, such as {@code DOWN}. */
    NODES_LEFT_OUT,
    /** A resource of nodes is left out, such as {@code gres/shard}. */
    RESOURCE_LEFT_OUT,
    /** The memory of GPUs is taken from {@link Hardware}, for their model does not tell it. */
    MEMORY_ASSUMED,
    /** A line is not read, such as {@code Include nodes.conf}. */
    LINE_NOT_READ
  }

  /** Copies the list. */
  public TopologyWarning {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(what, "what");
    nodes = List.copyOf(nodes);
  }

  /** Returns text such as {@code left out 2 nodes that are DOWN: n3, n4}. */
  @Override
  public String toString() {
    boolean isOne = nodes.size() == 1;
    String count = isOne ? "1 node" : "%,d nodes".formatted(nodes.size());
    return switch (kind) {
      case NODES_LEFT_OUT ->
          "left out %s that %s %s: %s".formatted(count, isOne ? "is" : "are", what, names());
      case RESOURCE_LEFT_OUT -> "left out %s of %s: %s".formatted(what, count, names());
      case MEMORY_ASSUMED ->
          "assumed %s, which is not told, on %s: %s".formatted(what, count, names());
      case LINE_NOT_READ -> "did not read '" + what + "'";
    };
  }

  private String names() {
    String first = nodes.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    return nodes.size() <= MOST_NAMES
        ? first
        : "%s and %,d more".formatted(first, nodes.size() - MOST_NAMES);
  }
}
