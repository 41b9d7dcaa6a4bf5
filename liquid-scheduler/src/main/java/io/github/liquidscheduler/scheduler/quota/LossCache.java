package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeftNodes;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What queues were found to lose, as long as nothing has changed by which they lose it. It is the
 * same for all winners whose sides stand alike, since what a queue loses beside a winner's side
 * depends on no other queue. Only saves searches, so it is in no snapshot. Mutable.
 */
public final class LossCache {

  private static final int MOST = 20_000;

  // These, and those below, are iterated only to be copied.
  private final Map<NodeFilter, OnNodes> losses = new HashMap<>();
  private int size;
  private @Nullable LeftNodes leftNodes;

  /**
   * On which nodes what leaves is of use to a job.
   *
   * @param models the models of GPUs it may run on; any if there are none
   * @param labels the labels that nodes have to carry
   * @param excluded the names of nodes it may not run on
   * @param anywhere whether it is of use on any node, whether the job may run there or not
   */
  public record NodeFilter(
      List<GpuModel> models, Map<String, String> labels, Set<String> excluded, boolean anywhere) {

    /** On all nodes, those too that take no tasks. */
    public static final NodeFilter ANYWHERE = new NodeFilter(List.of(), Map.of(), Set.of(), true);
  }

  /**
   * What a queue loses.
   *
   * @param lost what leaves, in this order
   * @param nodes what each of that holds
   * @param gpus how many GPUs all of it is on
   * @param sum what all of it counts for
   * @param hasSpared whether others were left out because they had just started
   */
  public record Loss(
      List<EvictionSearch.Candidate> lost,
      List<NodeSet> nodes,
      long gpus,
      Charge sum,
      boolean hasSpared) {

    /** Returns the same of copies, each found only once somebody asks for it. */
    Loss with(UnaryOperator<EvictionSearch.Candidate> copy) {
      // Copies of copies would keep all those before them.
      List<EvictionSearch.Candidate> own = lost instanceof Copies ? List.copyOf(lost) : lost;
      return new Loss(new Copies(own, copy), nodes, gpus, sum, hasSpared);
    }
  }

  /** Copies of what leaves. */
  private static final class Copies extends AbstractList<EvictionSearch.Candidate> {

    private final List<EvictionSearch.Candidate> lost;
    private final UnaryOperator<EvictionSearch.Candidate> copy;

    Copies(List<EvictionSearch.Candidate> lost, UnaryOperator<EvictionSearch.Candidate> copy) {
      this.lost = lost;
      this.copy = copy;
    }

    @Override
    public EvictionSearch.Candidate get(int index) {
      return copy.apply(lost.get(index));
    }

    @Override
    public int size() {
      return lost.size();
    }
  }

  /** What a queue loses to each side, as long as two numbers are the same. */
  private static final class OfQueue {

    final Map<Reclaim.WinnerSide, Loss> bySide = new HashMap<>();
    long version;
    long order;

    boolean isAsOf(long version, long order) {
      return this.version == version && this.order == order;
    }
  }

  /** What is known for winners to whom it is of use on the same nodes. */
  public final class OnNodes {

    private final Map<QueueAccount, OfQueue> queues = new HashMap<>();

    /**
     * Returns what is known of a queue as it is now, or null.
     *
     * @param order the number of the order in which jobs leave now
     */
    public @Nullable Loss find(QueueAccount queue, Reclaim.WinnerSide side, long order) {
      @Nullable OfQueue known = queues.get(queue);
      return known != null && known.isAsOf(queue.version(), order) ? known.bySide.get(side) : null;
    }

    /** Notes what a queue loses as it is now. */
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
   * Knows, of copies of queues and jobs, what is known of those as they are now.
   *
   * @param copy the copy of each queue
   * @param jobCopy the copy of each job, as long as that is there; nothing but whole jobs is lost
   * @param order the number of the order in which jobs leave now
   */
  public void copyFrom(
      LossCache others,
      UnaryOperator<QueueAccount> copy,
      UnaryOperator<EvictionSearch.Candidate> jobCopy,
      long order) {
    others.losses.forEach(
        (filter, of) ->
            of.queues.forEach(
                (queue, known) -> {
                  if (known.isAsOf(queue.version(), order)) {
                    known.bySide.forEach(
                        (side, loss) ->
                            on(filter).note(copy.apply(queue), side, order, loss.with(jobCopy)));
                  }
                }));
  }

  /** Returns what is known where what leaves is of use on these nodes. */
  public OnNodes on(NodeFilter filter) {
    return losses.computeIfAbsent(
        filter,
        nodes -> {
          size++;
          return new OnNodes();
        });
  }

  /** Returns nodes that jobs may leave, to be used for one sum after the other. */
  public LeftNodes leftNodes(CapacityIndex index) {
    @Nullable LeftNodes known = leftNodes;
    if (known == null || !known.areOf(index)) {
      known = new LeftNodes(index);
      leftNodes = known;
    }
    return known;
  }

  /** Forgets everything, but for those who ask just now. */
  public void clear() {
    losses.clear();
    size = 0;
  }
}
