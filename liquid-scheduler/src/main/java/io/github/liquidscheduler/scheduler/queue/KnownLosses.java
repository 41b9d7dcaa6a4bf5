package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What queues of a tree may lose to others: the same for all who may take something back from the
 * same side, so it is kept until the queue or one of its parts holds something else, something else
 * is due to one of them, or running jobs would leave in another order. In no snapshot.
 */
public final class KnownLosses {

  // Never iterated.
  private final Map<Loser, Loss> losses = new HashMap<>();
  private long reorders = -1;

  /**
   * A queue that may lose something to those on another side of the tree.
   *
   * @param isOwing whether these still hold no more than is guaranteed to their side
   * @param isForSome whether they ask for anything that is counted
   * @param asked what they ask of nodes
   */
  public record Loser(QueueAccount queue, boolean isOwing, boolean isForSome, Nodes asked) {}

  /**
   * The nodes that may help a job.
   *
   * @param models the models of their GPUs; all if there are none
   * @param allowed which they are; all if null
   */
  public record Nodes(List<GpuModel> models, @Nullable BitSet allowed) {}

  /**
   * What a queue may lose.
   *
   * @param at the number of its last change by then
   * @param held where its jobs are
   * @param sum what they hold; null if there are none
   */
  public record Loss(long at, List<NodeSet> held, @Nullable Charge sum) {}

  /** Returns what a queue may lose as it is now, if that is known. */
  public @Nullable Loss find(Loser loser) {
    @Nullable Loss loss = losses.get(loser);
    return loss == null || loss.at() != loser.queue().changedAt() ? null : loss;
  }

  /** Remembers what a queue may lose as it is now. */
  public void remember(Loser loser, Loss loss) {
    losses.put(loser, loss);
  }

  /** Forgets all unless running jobs would leave in the same order as at the last call. */
  void keepFor(long reorders) {
    if (this.reorders != reorders) {
      this.reorders = reorders;
      losses.clear();
    }
  }
}
