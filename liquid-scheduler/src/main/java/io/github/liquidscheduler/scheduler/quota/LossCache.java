package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeftNodes;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cached results of searches for the jobs that a queue would lose to a winner. A result depends on
 * the queue, on the winner's branch and on the nodes of use, but on no other queue, so that winners
 * share it. Saves searches only; never part of a snapshot. Mutable.
 */
public final class LossCache {

  private static final int MOST = 20_000;

  // Never iterated.
  private final Map<NodeFilter, OnNodes> losses = new HashMap<>();
  private final Map<Instant, LossCache> byInstant = new HashMap<>();
  private int size;
  private @Nullable LeftNodes leftNodes;

  /**
   * The nodes on which released capacity is of use to a job.
   *
   * @param models the allowed GPU models; any if empty
   * @param labels the required node labels
   * @param excluded the names of excluded nodes
   * @param anywhere whether capacity counts on every node, allowed or not
   */
  public record NodeFilter(
      List<GpuModel> models, Map<String, String> labels, Set<String> excluded, boolean anywhere) {

    /** Selects all nodes, those too that accept no tasks. */
    public static final NodeFilter ANYWHERE = new NodeFilter(List.of(), Map.of(), Set.of(), true);
  }

  /**
   * The loss of a queue.
   *
   * @param lost the victims, in order
   * @param nodes the nodes and amounts of each victim
   * @param gpus the number of GPUs of all victims
   * @param sum the charge of all victims
   * @param hasSpared whether jobs were skipped because they have just started
   */
  public record Loss(
      List<EvictionSearch.Candidate> lost,
      List<NodeSet> nodes,
      long gpus,
      Charge sum,
      boolean hasSpared) {}

  /** The losses of a queue by winner's branch, valid for two version numbers. */
  private static final class OfQueue {

    final Map<Reclaim.WinnerSide, Loss> bySide = new HashMap<>();
    long version;
    long order;

    boolean isAsOf(long version, long order) {
      return this.version == version && this.order == order;
    }
  }

  /** The cached losses for one set of useful nodes. */
  public final class OnNodes {

    private final Map<QueueAccount, OfQueue> queues = new HashMap<>();

    /**
     * Returns the cached loss of a queue in its present state, or null.
     *
     * @param order the version of the eviction order
     */
    public @Nullable Loss find(QueueAccount queue, Reclaim.WinnerSide side, long order) {
      @Nullable OfQueue known = queues.get(queue);
      return known != null && known.isAsOf(queue.version(), order) ? known.bySide.get(side) : null;
    }

    /** Stores the loss of a queue in its present state. */
    public void note(QueueAccount queue, Reclaim.WinnerSide side, long order, Loss loss) {
      if (size >= MOST) {
        clear();
      }
      OfQueue known = queues.computeIfAbsent(queue, each -> new OfQueue());
      if (!known.isAsOf(queue.version(), order)) {
        size -= known.bySide.size();
        known.bySide.clear();
        known.version = queue.version();
        known.order = order;
      }
      size += known.bySide.put(side, loss) == null ? 1 : 0;
    }
  }

  /**
   * Returns the results that depend on the jobs spared at an instant, which are dropped at another.
   * Those of {@link Instant#MAX}, at which no job is spared, stay.
   */
  public LossCache at(Instant instant) {
    if (!instant.equals(Instant.MAX)) {
      byInstant.keySet().retainAll(List.of(instant, Instant.MAX));
    }
    return byInstant.computeIfAbsent(instant, any -> new LossCache());
  }

  /** Returns the cached losses for one set of useful nodes. */
  public OnNodes on(NodeFilter filter) {
    return losses.computeIfAbsent(
        filter,
        nodes -> {
          size++;
          return new OnNodes();
        });
  }

  /** Returns a reusable sum over nodes that jobs may leave. */
  public LeftNodes leftNodes(CapacityIndex index) {
    @Nullable LeftNodes known = leftNodes;
    if (known == null || !known.areOf(index)) {
      known = new LeftNodes(index);
      leftNodes = known;
    }
    return known;
  }

  /** Drops all results. */
  public void clear() {
    losses.clear();
    byInstant.clear();
    size = 0;
  }
}
