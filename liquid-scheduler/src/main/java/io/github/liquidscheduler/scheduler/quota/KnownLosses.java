package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What queues were found to lose, as long as nothing has changed by which they lose it. It is the
 * same for all winners whose sides stand alike, since what a queue loses beside a winner's side
 * depends on no other queue. Only saves searches, so it is in no snapshot. Mutable.
 */
public final class KnownLosses {

  private static final int MOST = 20_000;

  // Neither is iterated.
  private final Map<Where, OnNodes> losses = new HashMap<>();
  private int size;

  /**
   * A queue that may lose something, and all of a winner by which it is judged what.
   *
   * @param queue the queue
   * @param standing how the winner's side stands
   */
  public record Side(QueueAccount queue, Reclaim.Standing standing) {}

  /**
   * On which nodes what leaves is of use to a job.
   *
   * @param models the models of GPUs it may run on; any if there are none
   * @param labels the labels that nodes have to carry
   * @param excluded the names of nodes it may not run on
   */
  public record Where(List<GpuModel> models, Map<String, String> labels, Set<String> excluded) {}

  /**
   * What a queue loses.
   *
   * @param changes the {@linkplain QueueAccount#changes number} of what it then held
   * @param reorders the number of the order in which jobs then left
   * @param nodes what each job holds that leaves
   * @param sum what all of them count for
   * @param hasSpared whether others were left out because they had just started
   */
  public record Loss(
      long changes, long reorders, List<NodeSet> nodes, Charge sum, boolean hasSpared) {}

  /** What is known for winners to whom it is of use on the same nodes. */
  public final class OnNodes {

    private final Map<Side, Loss> losses = new HashMap<>();

    /** Returns what is known of a queue as it is now, or null. */
    public @Nullable Loss find(Side side, long reorders) {
      @Nullable Loss known = losses.get(side);
      boolean isNow =
          known != null
              && known.changes() == side.queue().changes()
              && known.reorders() == reorders;
      return isNow ? known : null;
    }

    /** Notes what a queue loses. */
    public void note(Side side, Loss loss) {
      if (size >= MOST) {
        clear();
      }
      size += losses.put(side, loss) == null ? 1 : 0;
    }
  }

  /** Returns what is known where what leaves is of use on these nodes. */
  public OnNodes on(Where where) {
    return losses.computeIfAbsent(
        where,
        nodes -> {
          size++;
          return new OnNodes();
        });
  }

  /** Forgets everything, but for those who ask just now. */
  public void clear() {
    losses.clear();
    size = 0;
  }
}
