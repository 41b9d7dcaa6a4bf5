package io.github.liquidscheduler.lab.baseline.hived;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.lab.baseline.hived.VirtualClusterPlacer.Owned;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.text.Count;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which queue owns how many cells of GPUs (after Zhao et al., HiveD, OSDI 2020). A cell is a block
 * of 1, 2, 4, … GPUs of one node; those of a queue are of one size. Immutable.
 *
 * <p>Jobs whose sharing is {@link io.github.liquidscheduler.job.Sharing.Opportunistic} run on
 * whatever is free; all others run within the cells of their queue, and can count on them. For that
 * opportunistic jobs must make room, which they do under {@link Policies#guaranteedFirst()}.
 */
public final class VirtualClusters {

  private final Map<QueueName, Owned> cells;

  private VirtualClusters(Builder builder) {
    cells = Collections.unmodifiableMap(new LinkedHashMap<>(builder.cells));
  }

  /** Returns a builder without any virtual cluster. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the placer that keeps to these virtual clusters.
   *
   * @throws IllegalArgumentException if the empty cluster does not have all the cells at once
   */
  public Placer placerFor(ClusterTopology cluster) {
    VirtualClusterPlacer placer = VirtualClusterPlacer.of(cells);
    long missing = placer.missingFrom(ClusterState.of(cluster));
    if (missing > 0) {
      throw new IllegalArgumentException(
          "virtual clusters must fit on the cluster together, but cells of %s do not; cells: %s"
              .formatted(Count.of(missing, "GPU"), cells));
    }
    return placer;
  }

  @Override
  public String toString() {
    return "virtual clusters " + cells;
  }

  /** Builds {@link VirtualClusters}. Not thread-safe. */
  public static final class Builder {
    private final Map<QueueName, Owned> cells = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Gives a queue {@code count} cells of {@code gpus} GPUs.
     *
     * @throws IllegalArgumentException if {@code gpus} is not a power of two up to {@link
     *     Node#MAX_GPUS}, {@code count} is not from 1 to a million, or the queue has cells already
     */
    public Builder cells(String queue, int gpus, int count) {
      if (gpus < 1 || gpus > Node.MAX_GPUS || Integer.bitCount(gpus) != 1) {
        throw new IllegalArgumentException(
            "a cell must have 1, 2, 4, … GPUs, at most %d, but had %d, for queue '%s'"
                .formatted(Node.MAX_GPUS, gpus, queue));
      }
      if (count < 1 || count > 1_000_000) {
        throw new IllegalArgumentException(
            "cells must be from 1 to 1000000, but were %d, for queue '%s'".formatted(count, queue));
      }
      if (cells.putIfAbsent(QueueName.of(queue), new Owned(gpus, count)) != null) {
        throw new IllegalArgumentException(
            "a queue must have cells of one size, but got some twice: '" + queue + "'");
      }
      return this;
    }

    /** Returns the virtual clusters. */
    public VirtualClusters build() {
      return new VirtualClusters(this);
    }
  }
}
