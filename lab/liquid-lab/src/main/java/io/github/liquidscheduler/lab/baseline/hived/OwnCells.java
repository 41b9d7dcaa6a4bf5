package io.github.liquidscheduler.lab.baseline.hived;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.lab.baseline.BuddyCells;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.simulator.baseline.NodeScore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Chooses GPUs for a guaranteed task: in a cell that its virtual cluster has bound, else in one
 * that it may still bind without taking from others what they own.
 */
final class OwnCells implements NodeScore {

  private static final NodeRange NONE = new NodeRange(0, 0);
  private static final double BOUND = 1;

  private final QueueName queue;
  private final int size;
  private final long missing;
  private final BoundCells cells;
  private final List<GpuPosition> own = new ArrayList<>();
  private int seen;

  /** A GPU by the positions of its node and of itself. */
  private record GpuPosition(int node, int gpu) {}

  /** Makes a choice for one job, from the cells as they are while none of its tasks is placed. */
  OwnCells(BoundCells cells, QueueName queue) {
    this.cells = cells;
    this.queue = queue;
    size = cells.size(queue);
    missing = cells.unbound(this::isOther).missingFrom(cells.supply());
  }

  private boolean isOther(QueueName other) {
    return !other.equals(queue);
  }

  @Override
  public double of(Candidate candidate) {
    if (candidate.task().gpus() == 0) {
      return 0;
    }
    NodeRange cell = cell(candidate);
    if (cell.size() == 0) {
      return Double.NEGATIVE_INFINITY;
    }
    boolean isBound = cells.bound(queue, candidate.node()).get(cell.first());
    return isBound ? BOUND : -roomAround(candidate.node(), cell.first());
  }

  /** Returns the block of free GPUs of which the task takes the first; empty if there is none. */
  NodeRange cell(Candidate candidate) {
    bindPlaced(candidate);
    NodeRange inBound = cell(candidate, cells.bound(queue, candidate.node()));
    return inBound.size() > 0 || cells.unbound(queue) == 0 ? inBound : unbound(candidate);
  }

  /** Binds the cells of the job's own tasks, and first those of another attempt no more. */
  private void bindPlaced(Candidate candidate) {
    if (candidate.placed().size() < seen) {
      own.forEach(gpu -> cells.release(queue, gpu.node(), gpu.gpu()));
      own.clear();
      seen = 0;
    }
    for (; seen < candidate.placed().size(); seen++) {
      Picks.Pick pick = candidate.placed().get(seen);
      for (int gpu : pick.gpus()) {
        if (cells.bind(queue, pick.node(), gpu)) {
          own.add(new GpuPosition(pick.node(), gpu));
        }
      }
    }
  }

  /**
   * Returns whether each task of a placement lies in one cell that its virtual cluster has bound or
   * may bind, and binds these.
   */
  boolean admit(Placement placement) {
    return placement.tasks().stream()
        .filter(task -> !task.gpus().isEmpty())
        .allMatch(task -> admit(cells.position(task.node()), task.gpus()));
  }

  private boolean admit(int node, List<Integer> gpus) {
    int first = gpus.getFirst() / size * size;
    boolean isOne = gpus.stream().allMatch(gpu -> gpu / size * size == first);
    if (!isOne || (!cells.bound(queue, node).get(first) && !mayBind(node, first))) {
      return false;
    }
    cells.bind(queue, node, first);
    return true;
  }

  private NodeRange unbound(Candidate candidate) {
    int node = candidate.node();
    for (int first = 0; first + size <= candidate.index().gpus(node); first += size) {
      if (isObtainable(node, first)) {
        NodeRange found = cell(candidate, cellAt(first));
        if (found.size() > 0 && leavesOthersTheirs(node, first)) {
          return found;
        }
      }
    }
    return NONE;
  }

  private boolean mayBind(int node, int first) {
    return cells.unbound(queue) > 0 && isObtainable(node, first) && leavesOthersTheirs(node, first);
  }

  private boolean isObtainable(int node, int first) {
    BitSet cell = cellAt(first);
    return isWithin(cell, cells.obtainable(node))
        && !cell.intersects(cells.boundByOthers(queue, node));
  }

  private BitSet cellAt(int first) {
    BitSet cell = new BitSet();
    cell.set(first, first + size);
    return cell;
  }

  private boolean leavesOthersTheirs(int node, int first) {
    cells.bind(queue, node, first);
    boolean leaves = cells.unbound(this::isOther).missingFrom(cells.supply()) <= missing;
    cells.release(queue, node, first);
    return leaves;
  }

  /** Returns the smallest free block for the task among some GPUs. */
  private static NodeRange cell(Candidate candidate, BitSet among) {
    return BuddyCells.among(candidate.index(), candidate.pool(), candidate.node(), among)
        .smallestFreeFor(candidate.task().gpus());
  }

  /** Returns the GPUs of the node that could be had beside the cell: the fewer the better. */
  private double roomAround(int node, int first) {
    BitSet room = (BitSet) cells.obtainable(node).clone();
    room.andNot(cells.boundByOthers(queue, node));
    return room.get(first) ? room.cardinality() : 0;
  }

  private static boolean isWithin(BitSet cell, BitSet whole) {
    BitSet rest = (BitSet) cell.clone();
    rest.andNot(whole);
    return rest.isEmpty();
  }
}
