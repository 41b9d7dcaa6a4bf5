package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Looks for the first placement of a gang: on the node with the least room that is enough, else in
 * the domain with the least room that is enough of the narrowest level that holds it. The index is
 * unchanged by a call.
 */
public final class GangSearch {

  private final CapacityIndex index;
  private final GangShape gang;
  private final GangFill fill;
  private final int nodeLevel;
  private final int widest;

  /** Makes a search in what is free now. */
  public GangSearch(CapacityIndex index, GangShape gang) {
    this.index = index;
    this.gang = gang;
    fill = new GangFill(index, gang, node -> true);
    nodeLevel = index.topology().levels().size() - 1;
    widest = gang.topology().widestLevel();
  }

  /**
   * A placement of a gang.
   *
   * @param picks all its tasks, with their GPUs
   * @param level the position of the level of their node or domain in {@link
   *     ClusterTopology#levels()}
   * @param pools where GPUs were allowed to come from
   */
  public record Found(List<Picks.Pick> picks, int level, List<GpuPool> pools) {

    /** Returns whether all tasks are on one node. */
    public boolean isOnOneNode() {
      int node = picks.getFirst().node();
      for (Picks.Pick pick : picks) {
        if (pick.node() != node) {
          return false;
        }
      }
      return true;
    }
  }

  /** Returns the position of the level of single nodes. */
  public int nodeLevel() {
    return nodeLevel;
  }

  /** Returns the position of the widest level in one domain of which the gang must lie. */
  public int widestLevel() {
    return widest;
  }

  /** Returns the first placement, on the GPUs preferred most; empty if there is none. */
  public Optional<Found> first() {
    if (mayFit()) {
      for (List<GpuPool> pools : gang.choices(index.pools())) {
        Optional<Found> found = in(pools);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the first placement in each pool of GPUs if the job names no models; else, or if no
   * pool is enough alone, as {@link #first}.
   */
  public List<Found> firstInEachPool() {
    List<Found> all = new ArrayList<>();
    if (gang.job().gpuModels().isEmpty() && mayFit()) {
      for (List<GpuPool> pools : gang.choices(index.pools())) {
        if (pools.size() == 1) {
          in(pools).ifPresent(all::add);
        }
      }
    }
    return all.isEmpty() ? first().stream().toList() : all;
  }

  private boolean mayFit() {
    return gang.wholeGpus() <= index.freeGpus()
        && gang.allowsAnyNode()
        && index.topology().levels().containsAll(gang.topology().levels());
  }

  private Optional<Found> in(List<GpuPool> pools) {
    int free = 0;
    for (GpuPool pool : pools) {
      free += pool.freeGpus();
    }
    if (gang.wholeGpus() > free) {
      return Optional.empty();
    }
    int narrowest = gang.topology().narrowestLevel();
    Optional<Found> found =
        narrowest == nodeLevel && !gang.isOneShare()
            ? firstNode(pools, node -> in(new NodeRange(node, node + 1), nodeLevel, pools))
            : Optional.empty();
    int from = Math.min(narrowest, nodeLevel - 1);
    for (int at = from; at >= widest && found.isEmpty(); at--) {
      int level = at;
      found = firstDomain(pools, level, nodes -> in(nodes, level, pools));
    }
    return found;
  }

  private Optional<Found> in(NodeRange range, int level, List<GpuPool> pools) {
    List<Picks.Pick> picks = fill.fill(range, level, pools);
    return picks.isEmpty() ? Optional.empty() : Optional.of(new Found(picks, level, pools));
  }

  /**
   * Asks for one node after the other that has what the gang requests in sum, those with few free
   * GPUs first, until there is an answer.
   */
  public <T> Optional<T> firstNode(List<GpuPool> pools, IntFunction<Optional<T>> answer) {
    for (GpuPool pool : pools) {
      for (int free = gpusInSum(); free <= pool.maxFree(); free++) {
        for (int slot = next(pool, free, 0); slot >= 0; slot = next(pool, free, slot + 1)) {
          int node = pool.nodeOf(slot);
          if (gang.allows(node)
              && index.freeCpu(node) >= gang.cpu()
              && index.freeMemory(node) >= gang.memory()) {
            Optional<T> answered = answer.apply(node);
            if (answered.isPresent()) {
              return answered;
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  private int next(GpuPool pool, int free, int from) {
    int first = gang.firstAllowed(pool, from);
    return pool.next(free, first, pool.size(), gang.cpu(), gang.memory());
  }

  /**
   * Asks for one domain of a level after the other that has GPUs for the gang, those with few free
   * GPUs first, until there is an answer. GPUs of several pools are not counted.
   */
  public <T> Optional<T> firstDomain(
      List<GpuPool> pools, int level, Function<NodeRange, Optional<T>> answer) {
    if (pools.size() > 1) {
      return index.nodesOf(level).stream().map(answer).flatMap(Optional::stream).findFirst();
    }
    DomainLevel domains = pools.getFirst().levels().get(level);
    TaskShape hardest = gang.tasks().getFirst();
    int count = hardest.isShare() ? 0 : hardest.role().count();
    int gpus = gpusInSum();
    for (int domain = domains.next(gpus, -1); domain >= 0; domain = domains.next(gpus, domain)) {
      if (domains.tasks(domain, hardest.gpus(), count) >= count) {
        Optional<T> answered = answer.apply(domains.nodes(domain));
        if (answered.isPresent()) {
          return answered;
        }
      }
    }
    return Optional.empty();
  }

  private int gpusInSum() {
    return (int) Math.min(gang.wholeGpus(), Integer.MAX_VALUE);
  }
}
