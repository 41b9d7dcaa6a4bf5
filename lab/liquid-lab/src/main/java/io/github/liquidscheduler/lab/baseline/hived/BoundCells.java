package io.github.liquidscheduler.lab.baseline.hived;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.lab.baseline.Cells;
import io.github.liquidscheduler.lab.baseline.hived.VirtualClusterPlacer.Owned;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which cells virtual clusters have bound, and what is left for others to bind. Mutable. */
final class BoundCells {

  private final Map<QueueName, Owned> owned;
  private final CapacityIndex index;
  private final Map<QueueName, List<BitSet>> bound = new LinkedHashMap<>();
  private final Map<QueueName, Integer> used = new LinkedHashMap<>();
  private final List<BitSet> obtainable = new ArrayList<>();

  BoundCells(Map<QueueName, Owned> owned, ClusterState state) {
    this.owned = owned;
    index = state.index();
    owned.keySet().forEach(queue -> bound.put(queue, none()));
    obtainable.addAll(none());
    for (int node = 0; node < obtainable.size(); node++) {
      for (int gpu = 0; gpu < index.gpus(node); gpu++) {
        obtainable.get(node).set(gpu, isFree(node, gpu));
      }
    }
    for (JobId id : state.runningJobs()) {
      state.job(id).ifPresent(job -> add(job, state.placement(id).orElseThrow()));
    }
  }

  private List<BitSet> none() {
    List<BitSet> none = new ArrayList<>();
    index.topology().nodes().forEach(node -> none.add(new BitSet(node.gpus().size())));
    return none;
  }

  private void add(JobSpec job, Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      int node = position(task.node());
      for (int gpu : task.gpus()) {
        if (!VirtualClusterPlacer.isOpportunistic(job)) {
          bind(job.queue(), node, gpu);
          used.merge(job.queue(), 1, Integer::sum);
        } else if (index.health(node) == NodeHealth.UP && !index.isLost(node, gpu)) {
          obtainable.get(node).set(gpu);
        }
      }
    }
  }

  /** Binds the cell around a GPU, and returns whether it was not yet bound. */
  boolean bind(QueueName queue, int node, int gpu) {
    @Nullable Owned own = owned.get(queue);
    if (own == null || bound(queue, node).get(gpu)) {
      return false;
    }
    int first = gpu / own.gpus() * own.gpus();
    bound(queue, node).set(first, first + own.gpus());
    return true;
  }

  /** Gives back the cell around a GPU. */
  void release(QueueName queue, int node, int gpu) {
    int first = gpu / size(queue) * size(queue);
    bound(queue, node).clear(first, first + size(queue));
  }

  /** Returns the GPUs of a node in cells that the queue has bound. */
  BitSet bound(QueueName queue, int node) {
    return Objects.requireNonNull(bound.get(queue), "bound").get(node);
  }

  /** Returns the GPUs of a node that are free or held by opportunistic jobs. */
  BitSet obtainable(int node) {
    return obtainable.get(node);
  }

  /** Returns the GPUs of a node in cells that other queues have bound. */
  BitSet boundByOthers(QueueName queue, int node) {
    BitSet others = new BitSet();
    bound.forEach(
        (other, cells) -> {
          if (!other.equals(queue)) {
            others.or(cells.get(node));
          }
        });
    return others;
  }

  /** Returns the size of the queue's cells. */
  int size(QueueName queue) {
    return own(queue).gpus();
  }

  /** Returns the position of a node. */
  int position(NodeId node) {
    return index.topology().position(node);
  }

  /** Returns how many cells the queue owns and has not bound. */
  int unbound(QueueName queue) {
    int gpus = 0;
    for (int node = 0; node < obtainable.size(); node++) {
      gpus += bound(queue, node).cardinality();
    }
    return Math.max(0, own(queue).cells() - gpus / size(queue));
  }

  /** Returns the GPUs of the queue's cells that none of its jobs holds. */
  int left(QueueName queue) {
    return own(queue).cells() * size(queue) - used.getOrDefault(queue, 0);
  }

  /** Returns the cells that some queues own and have not bound. */
  Cells unbound(Predicate<QueueName> queues) {
    Cells cells = new Cells();
    for (QueueName queue : owned.keySet()) {
      if (queues.test(queue)) {
        cells.add(size(queue), unbound(queue));
      }
    }
    return cells;
  }

  /** Returns the cells that can still be bound. */
  Cells supply() {
    Cells cells = new Cells();
    for (int node = 0; node < obtainable.size(); node++) {
      BitSet unbound = (BitSet) obtainable.get(node).clone();
      for (List<BitSet> nodes : bound.values()) {
        unbound.andNot(nodes.get(node));
      }
      cells.addFree(unbound, index.gpus(node));
    }
    return cells;
  }

  private Owned own(QueueName queue) {
    return Objects.requireNonNull(owned.get(queue), "owned");
  }

  private boolean isFree(int node, int gpu) {
    return index.pools().stream().anyMatch(pool -> index.isFree(pool, node, gpu));
  }
}
