package io.github.liquidscheduler.placement.fragmentation;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.DevicePicker;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.NodeChoice;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Searches for the node, and its GPU, where a task increases fragmentation least. */
final class NodeSearch {
  private final CapacityIndex index;
  private final GangShape gang;
  private final TaskShape task;
  private final TaskKind kind;
  private final TypicalTasks typical;
  private final Picks picks;
  private final NodeChoice choice;
  private final Map<Usable, Rating> ratings = new HashMap<>();

  private @Nullable Rating best;
  private @Nullable GpuPool bestPool;
  private int bestNode;

  /** Makes a search for a job of one task. */
  NodeSearch(CapacityIndex index, GangShape gang, TypicalTasks typical) {
    this.index = index;
    this.gang = gang;
    this.typical = typical;
    task = gang.tasks().getFirst();
    kind = TaskKind.of(task.role().request());
    picks = new Picks(index);
    choice = new NodeChoice(index, gang, picks, node -> true);
  }

  /**
   * The capacity of a node that a task may use.
   *
   * @param left the remainder of the node
   * @param gpus the GPUs of which the task may get a share
   */
  private record Usable(Remainder left, BitSet gpus) {}

  /**
   * The rating of a node with the task on it.
   *
   * @param growth the growth of fragmentation
   * @param left the thousandths of GPUs that were left before
   * @param gpu the GPU of which the task gets a share, if it asks for one
   */
  private record Rating(long growth, int left, int gpu) {
    boolean isBetterThan(@Nullable Rating other) {
      return other == null
          || growth < other.growth
          || (growth == other.growth && left < other.left);
    }
  }

  /** Returns the placement on the best of the nodes; empty if none holds the task. */
  Optional<Placement> best(NodeRange nodes, List<GpuPool> pools) {
    for (GpuPool pool : pools) {
      int end = pool.endSlot(nodes);
      for (int slot = pool.firstSlot(nodes); slot < end; slot++) {
        look(pool, slot);
      }
    }
    if (best == null || bestPool == null) {
      return Optional.empty();
    }
    int[] gpus =
        task.isShare()
            ? new int[] {best.gpu()}
            : new DevicePicker(index).pick(bestPool, bestNode, 1, task.gpus());
    picks.take(task, bestPool, bestNode, 1, gpus);
    Placement placement = picks.placement(gang);
    picks.undoTo(0);
    return Optional.of(placement);
  }

  private void look(GpuPool pool, int slot) {
    int node = pool.nodeOf(slot);
    BitSet gpus = new BitSet();
    if (task.isShare()) {
      gpus = sufficientGpus(pool, slot);
      if (gpus.isEmpty()) {
        return;
      }
    } else if (!isSufficient(pool, slot)) {
      return;
    }
    Rating rating =
        ratings.computeIfAbsent(new Usable(Remainder.of(index, node), gpus), this::rating);
    if (rating.isBetterThan(best)) {
      best = rating;
      bestPool = pool;
      bestNode = node;
    }
  }

  private boolean isSufficient(GpuPool pool, int slot) {
    return gang.allows(task, pool)
        && pool.free(slot) >= task.gpus()
        && choice.fitting(task, pool, slot, 1) > 0;
  }

  /** Returns the GPUs with enough left for a share, on a node that is up and has CPU and memory. */
  private BitSet sufficientGpus(GpuPool pool, int slot) {
    int node = pool.nodeOf(slot);
    BitSet gpus = new BitSet();
    boolean mayRun =
        pool.free(slot) >= 0
            && pool.isAllowedTo(gang.job())
            && gang.allows(task, node)
            && index.freeCpu(node) >= task.cpu()
            && index.freeMemory(node) >= task.memory();
    for (int gpu = 0; mayRun && gpu < index.gpus(node); gpu++) {
      if (index.freeShare(node, gpu) >= task.share()
          && index.freeGpuMemory(node, gpu) >= task.gpuMemory()
          && index.isOf(pool, node, gpu)
          && !index.isLost(node, gpu)) {
        gpus.set(gpu);
      }
    }
    return gpus;
  }

  private Rating rating(Usable usable) {
    Remainder left = usable.left();
    long before = typical.fragmentation(left);
    if (!task.isShare()) {
      return new Rating(typical.fragmentation(left.without(kind)) - before, left.total(), 0);
    }
    @Nullable Rating chosen = null;
    for (int gpu = usable.gpus().nextSetBit(0); gpu >= 0; gpu = usable.gpus().nextSetBit(gpu + 1)) {
      long growth = typical.fragmentation(left.without(kind, gpu)) - before;
      Rating rating = new Rating(growth, left.shares()[gpu], gpu);
      chosen = rating.isBetterThan(chosen) ? rating : chosen;
    }
    if (chosen == null) {
      throw new IllegalArgumentException("a node that is rated must hold the task");
    }
    return new Rating(chosen.growth(), left.total(), chosen.gpu());
  }
}
