package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/*
 * Idea: narrow before wide. Buckets of free GPUs give the tightest node, DomainLevels the tightest
 * domain of each level up to the required one, and GangFill is tried in each; only when all fail is
 * a gang of mixed roles packed, within one budget of steps for all domains.
 * Invariants: the index is unchanged; the order of candidates depends on free amounts and positions
 * only, so equal states give equal placements (RecordedDecisionsTest).
 * Cost: a gang that fits its first candidate costs O(GPUs per node) look-ups for each node used; a
 * failure O(levels x domains) cut by counts, plus STEPS of packing; a proof PROOF_STEPS for each
 * widest domain. Nothing is packed beyond MOST_CELLS nodes x roles.
 * Rejected: packing as the first attempt (docs/decisions.md).
 */
/**
 * Searches for the first placement of a gang: on the tightest node that holds it, else in the
 * tightest domain of the narrowest level that does. If none does role by role, a gang of several
 * roles is {@linkplain GangPacking packed} in a limited number of steps. The index is unchanged by
 * a call.
 */
public final class GangSearch {

  /** The steps of a packing, of all domains together. */
  private static final int STEPS = 20_000;

  /** The steps of each proof that there is no packing. */
  private static final int PROOF_STEPS = 200_000;

  /** Nodes times roles beyond which nothing is packed. */
  private static final long MOST_CELLS = 4_000_000;

  private final CapacityIndex index;
  private final GangShape gang;
  private final GangFill fill;
  private final NodeRange within;
  private final Predicate<List<Picks.Pick>> isWanted;
  private final int nodeLevel;
  private final int widest;

  /** Makes a search in the amounts free now. */
  public GangSearch(CapacityIndex index, GangShape gang) {
    this(index, gang, new NodeRange(0, index.topology().nodes().size()), picks -> true);
  }

  /**
   * Makes a search among some of the nodes.
   *
   * @param isWanted true for placements that may be used
   */
  GangSearch(
      CapacityIndex index, GangShape gang, NodeRange within, Predicate<List<Picks.Pick>> isWanted) {
    this.index = index;
    this.gang = gang;
    this.within = within;
    this.isWanted = isWanted;
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
   * @param pools the pools allowed for its GPUs
   */
  public record Found(List<Picks.Pick> picks, int level, List<GpuPool> pools) {

    /** Returns true if all tasks are on one node. */
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

  /** Returns true if it is proved that no placer could place a job on the idle cluster. */
  public static boolean isInfeasible(ClusterView idle, JobSpec job) {
    CapacityIndex index = ClusterState.of(idle).index();
    GangSearch search = new GangSearch(index, new GangShape(job, index));
    return search.first().isEmpty() && search.isProvedImpossible();
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
      return packed();
    }
    return Optional.empty();
  }

  /** Returns the first placement on GPUs of some pools; empty if there is none. */
  Optional<Found> on(List<GpuPool> pools) {
    Optional<Found> found = in(pools);
    return found.isPresent() || !isPackable() ? found : packed(pools, new long[] {STEPS});
  }

  /** Returns the first placement of a gang that is packed; empty if none was found. */
  private Optional<Found> packed() {
    long[] stepsLeft = {STEPS};
    return isPackable()
        ? gang.choices(index.pools()).stream()
            .map(pools -> packed(pools, stepsLeft))
            .flatMap(Optional::stream)
            .findFirst()
        : Optional.empty();
  }

  private Optional<Found> packed(List<GpuPool> pools, long[] stepsLeft) {
    if (hasFree(pools)) {
      int narrowest = Math.min(gang.topology().narrowestLevel(), nodeLevel - 1);
      for (int at = narrowest; at >= widest; at--) {
        int level = at;
        Optional<Found> found =
            firstDomain(pools, level, nodes -> packed(nodes, level, pools, stepsLeft));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isPackable() {
    long cells = (long) index.topology().nodes().size() * gang.tasks().size();
    return gang.hasMixedRoles() && !gang.hasParts() && cells <= MOST_CELLS;
  }

  private Optional<Found> packed(
      NodeRange nodes, int level, List<GpuPool> pools, long[] stepsLeft) {
    if (!fill.holdsEachRole(nodes, level, pools)) {
      return Optional.empty();
    }
    GangPacking packing = new GangPacking(index, gang, nodes, pools);
    boolean isPacked = packing.pack(stepsLeft[0]) == GangPacking.Outcome.PACKED;
    stepsLeft[0] -= packing.steps();
    return wanted(isPacked ? fill.fillPacked(packing.parts()) : List.of(), level, pools);
  }

  /**
   * Returns true if it is proved that there is no placement. For a gang of one role or of equal
   * ones that is so whenever none is found; for others the proof may be missing.
   */
  public boolean isProvedImpossible() {
    if (gang.hasParts()) {
      return !mayFit() || isProvedImpossibleInPart();
    }
    if (!mayFit() || !gang.hasMixedRoles()) {
      return first().isEmpty();
    }
    return isPackable()
        && gang.choices(index.pools()).stream()
            .filter(this::hasFree)
            .allMatch(pools -> widestRanges().stream().allMatch(it -> isImpossible(it, pools)));
  }

  /** Returns true if a part has no placement, or all together have none anywhere. */
  private boolean isProvedImpossibleInPart() {
    JobSpec job = gang.job();
    List<TaskRole> anywhere =
        job.roles().stream().map(role -> role.within(TopologyConstraint.NONE)).toList();
    JobSpec together = job.toBuilder().roles(anywhere).groups(List.of()).build();
    return Stream.concat(Stream.of(together), job.topologyParts().stream())
        .anyMatch(part -> new GangSearch(index, new GangShape(part, index)).isProvedImpossible());
  }

  private boolean isImpossible(NodeRange nodes, List<GpuPool> pools) {
    return new GangPacking(index, gang, nodes, pools).pack(PROOF_STEPS)
        == GangPacking.Outcome.IMPOSSIBLE;
  }

  /** Returns the widest domains that may hold the gang, and the nodes that are in none of them. */
  private List<NodeRange> widestRanges() {
    List<NodeRange> ranges = new ArrayList<>();
    BitSet covered = new BitSet();
    for (int level = widest; level < nodeLevel; level++) {
      for (NodeRange range : index.nodesOf(level)) {
        if (!covered.get(range.first())) {
          ranges.add(range);
          covered.set(range.first(), range.end());
        }
      }
    }
    int nodes = index.topology().nodes().size();
    for (int node = covered.nextClearBit(0); node < nodes; node = covered.nextClearBit(node + 1)) {
      ranges.add(new NodeRange(node, node + 1));
    }
    return ranges;
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
        && gang.topology().hasRequiredLevels();
  }

  private Optional<Found> in(List<GpuPool> pools) {
    if (!hasFree(pools)) {
      return Optional.empty();
    }
    int narrowest = gang.topology().narrowestLevel();
    Optional<Found> found =
        narrowest == nodeLevel && !gang.isOneShare()
            ? firstNode(pools, node -> in(new NodeRange(node, node + 1), nodeLevel, pools))
            : Optional.empty();
    // Single nodes are found by the index; the sum over all nodes is counted.
    if (found.isEmpty() && !fill.mayHoldHardest(within, pools)) {
      return Optional.empty();
    }
    int from = Math.min(narrowest, nodeLevel - 1);
    int to = gang.isOneShare() ? 0 : widest; // one node is enough, in a required domain or in none
    for (int at = from; at >= to && found.isEmpty(); at--) {
      int level = at;
      found = firstDomain(pools, level, nodes -> in(nodes, level, pools));
    }
    return found;
  }

  private boolean hasFree(List<GpuPool> pools) {
    int free = 0;
    for (GpuPool pool : pools) {
      free += pool.freeGpus();
    }
    return gang.wholeGpus() <= free;
  }

  private Optional<Found> in(NodeRange range, int level, List<GpuPool> pools) {
    return wanted(fill.fill(range, level, pools), level, pools);
  }

  private Optional<Found> wanted(List<Picks.Pick> picks, int level, List<GpuPool> pools) {
    return picks.isEmpty() || !isWanted.test(picks)
        ? Optional.empty()
        : Optional.of(new Found(picks, level, pools));
  }

  /**
   * Returns the first answer for a node that has the amounts the gang requests in sum, nodes with
   * few free GPUs first.
   */
  public <T> Optional<T> firstNode(List<GpuPool> pools, IntFunction<Optional<T>> answer) {
    for (GpuPool pool : pools) {
      for (int free = gpusInSum(); free <= pool.maxFree(); free++) {
        int from = pool.firstSlot(within);
        for (int slot = next(pool, free, from); slot >= 0; slot = next(pool, free, slot + 1)) {
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
    return pool.next(free, first, pool.endSlot(within), gang.cpu(), gang.memory());
  }

  /**
   * Returns the first answer for a domain of a level with enough GPUs, domains with few free GPUs
   * first; those that cannot hold the hardest role alone are left out.
   */
  public <T> Optional<T> firstDomain(
      List<GpuPool> pools, int level, Function<NodeRange, Optional<T>> answer) {
    if (pools.size() > 1) {
      return index.nodesOf(level).stream()
          .filter(nodes -> nodes.overlaps(within))
          .map(nodes -> nodes.within(within))
          .filter(nodes -> fill.mayHoldHardest(nodes, pools))
          .map(answer)
          .flatMap(Optional::stream)
          .findFirst();
    }
    DomainLevel domains = pools.getFirst().levels().get(level);
    TaskShape hardest = gang.tasks().getFirst();
    int count = hardest.isShare() ? 0 : hardest.role().count();
    int gpus = gpusInSum();
    for (int domain = domains.next(gpus, -1); domain >= 0; domain = domains.next(gpus, domain)) {
      NodeRange nodes = domains.nodes(domain);
      if (nodes.overlaps(within)
          && domains.tasks(domain, hardest.gpus(), count) >= count
          && fill.mayHoldHardest(nodes.within(within), pools)) {
        Optional<T> answered = answer.apply(nodes.within(within));
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
