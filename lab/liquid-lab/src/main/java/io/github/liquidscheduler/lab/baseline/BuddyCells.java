package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.simulator.baseline.NodeScore;
import java.util.BitSet;

/**
 * The GPUs of a node as buddy cells (Zhao et al., HiveD, OSDI 2020): cells of 1, 2, 4, … GPUs that
 * start at multiples of their size. A task gets a cell of the next size up; the smallest free cell
 * that holds it is split, so that large cells stay whole.
 */
public final class BuddyCells {
  private final BitSet free;
  private final int gpus;

  private BuddyCells(BitSet free, int gpus) {
    this.free = free;
    this.gpus = gpus;
  }

  static BuddyCells of(NodeScore.Candidate candidate) {
    return of(candidate.index(), candidate.pool(), candidate.node());
  }

  private static BuddyCells of(CapacityIndex index, GpuPool pool, int node) {
    BitSet free = new BitSet();
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      free.set(gpu, index.isFree(pool, node, gpu));
    }
    return new BuddyCells(free, index.gpus(node));
  }

  /** Returns the cells among some of a node's GPUs; the others count as held. */
  public static BuddyCells among(CapacityIndex index, GpuPool pool, int node, BitSet gpus) {
    BuddyCells cells = of(index, pool, node);
    cells.free.and(gpus);
    return cells;
  }

  /** Returns the smallest whole free cell for a task, as positions; empty if there is none. */
  public NodeRange smallestFreeFor(int asked) {
    for (int size = Cells.sizeFor(asked); size <= Cells.sizeFor(gpus); size *= 2) {
      for (int first = 0; first + asked <= gpus; first += size) {
        if (isFree(first, size)) {
          return new NodeRange(first, Math.min(first + size, gpus));
        }
      }
    }
    return new NodeRange(0, 0);
  }

  /** Returns whether the cell is free and not a part of a larger free cell. */
  private boolean isFree(int first, int size) {
    int parent = first / (2 * size) * (2 * size);
    return isWhollyFree(first, size) && (size >= gpus || !isWhollyFree(parent, 2 * size));
  }

  private boolean isWhollyFree(int first, int size) {
    return free.nextClearBit(first) >= Math.min(first + size, gpus);
  }
}
