package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.resource.Memory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Which copies of data sets are on which nodes, and what room there is for more. Immutable. */
public final class DataLocality {
  private final Set<DataCopy.Key> copies;
  private final Map<NodeId, Memory> room;

  private DataLocality(Builder builder) {
    copies = new HashSet<>(builder.copies);
    room = new HashMap<>(builder.room);
  }

  /** Returns a builder of a cluster whose nodes have no copy and no room. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns whether the whole copy is there. */
  public boolean isThere(DataCopy copy) {
    return copies.contains(copy.key());
  }

  /** Returns the room for copies on a node, what is on its way not counted. */
  public Memory room(NodeId node) {
    return room.getOrDefault(node, Memory.ZERO);
  }

  /** Builds a {@link DataLocality}. Not thread-safe. */
  public static final class Builder {
    private final Set<DataCopy.Key> copies = new HashSet<>();
    private final Map<NodeId, Memory> room = new HashMap<>();

    private Builder() {}

    /** Adds a whole copy. */
    public Builder copy(DataCopy copy) {
      copies.add(copy.key());
      return this;
    }

    /** Sets how much more a node can hold beside the copies that it has. */
    public Builder room(NodeId node, Memory room) {
      this.room.put(Objects.requireNonNull(node, "node"), Objects.requireNonNull(room, "room"));
      return this;
    }

    /** Returns the value. */
    public DataLocality build() {
      return new DataLocality(this);
    }
  }
}
