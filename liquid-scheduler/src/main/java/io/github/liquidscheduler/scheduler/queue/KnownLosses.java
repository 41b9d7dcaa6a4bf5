package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What queues of a tree may lose to others: the same for all who may take something back and do not
 * come to stand above their share, so it is kept until the queue or one of its parts holds
 * something else, something else is due to one of them, or running jobs would leave in another
 * order. In no snapshot.
 */
public final class KnownLosses {

  private static final int MOST = 8_192;

  private final Map<Loser, Loss> losses = new LinkedHashMap<>();
  private long reorders = -1;

  /**
   * A queue that may lose something to those on another side of the tree.
   *
   * @param isOwing whether these still hold no more than is guaranteed to their side
   * @param isForSome whether they ask for anything that is counted
   * @param above how far above its share their side would stand, if it would
   * @param asked what they ask of nodes
   */
  public record Loser(
      QueueAccount queue, boolean isOwing, boolean isForSome, List<Double> above, Nodes asked) {

    Loser in(QueueAccount other) {
      return new Loser(other, isOwing, isForSome, above, asked);
    }

    boolean isAsAt(long change) {
      return queue.changedAt() == change;
    }
  }

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
    return loss != null && loser.isAsAt(loss.at()) ? loss : null;
  }

  /** Remembers what a queue may lose as it is now. */
  public void remember(Loser loser, Loss loss) {
    if (losses.size() >= MOST) {
      losses.clear();
    }
    losses.put(loser, loss);
  }

  /** Knows what is known of the queues of equal books that have changed when these have. */
  void know(KnownLosses others, Function<QueueAccount, QueueAccount> own) {
    reorders = others.reorders;
    losses.clear();
    others.losses.forEach(
        (loser, loss) -> {
          if (loser.isAsAt(loss.at())) {
            losses.put(loser.in(own.apply(loser.queue())), loss);
          }
        });
  }

  /** Forgets all unless running jobs would leave in the same order as at the last call. */
  void keepFor(long reorders) {
    if (this.reorders != reorders) {
      this.reorders = reorders;
      losses.clear();
    }
  }
}
