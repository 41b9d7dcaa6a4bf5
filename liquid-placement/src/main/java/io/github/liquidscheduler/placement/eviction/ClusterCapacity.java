package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The free capacity of each node, plus the amounts that some victims would release. */
public final class ClusterCapacity {

  private final CapacityIndex index;
  private final NodeSet.Amounts left;
  private final RoleCapacity.FreeShares freeShare;
  // The nodes on which anything may be released; null if unknown.
  private final @Nullable BitSet leftNodes;

  /** Makes the free capacity without victims. */
  public ClusterCapacity(CapacityIndex index) {
    this(index, new NodeSet.Amounts(index.topology().nodes().size()), new BitSet());
  }

  /** Returns the free capacity without victims, over amounts that are all zero. */
  static ClusterCapacity withoutVictims(CapacityIndex index, NodeSet.Amounts nothing) {
    return new ClusterCapacity(index, nothing, new BitSet());
  }

  /** Returns the free capacity plus the amounts held by victims. */
  static ClusterCapacity withVictims(CapacityIndex index, NodeSet.Amounts left) {
    return new ClusterCapacity(index, left, null);
  }

  private ClusterCapacity(CapacityIndex index, NodeSet.Amounts left, @Nullable BitSet leftNodes) {
    this.index = index;
    this.left = left;
    this.leftNodes = leftNodes;
    freeShare = index::freeShare;
  }

  /**
   * A lower bound of the tasks of a role that do not fit.
   *
   * @param role the role that lacks the most in the domain where the job lacks the least
   * @param missing the number of its tasks that fit in no domain; 0 if only the roles together do
   *     not fit
   */
  public record Lack(TaskShape role, int missing) {}

  /** Adds the amounts held by a victim. */
  public void add(NodeSet held) {
    held.addTo(left, 1);
    if (leftNodes != null) {
      held.addTo(leftNodes);
    }
  }

  /** Removes amounts that were added. */
  public void remove(NodeSet held) {
    held.addTo(left, -1);
  }

  /** Removes all amounts added, of a capacity made without victims. */
  public void clear() {
    BitSet nodes = Objects.requireNonNull(leftNodes);
    left.clear(nodes, index.topology());
    nodes.clear();
  }

  /**
   * Returns the tasks that an exclusive job lacks at its smallest size; empty if it may fit.
   * O(nodes x roles).
   */
  public Optional<Lack> lack(JobSpec job) {
    GangShape gang = new GangShape(job.atLeastSize(), index);
    List<RoleCapacity> roles = roles(gang);
    int[] missing = roles.stream().mapToInt(RoleCapacity::count).toArray();
    for (NodeRange domain : domains(gang)) {
      if (holds(roles, domain, missing)) {
        return Optional.empty();
      }
    }
    int most = 0;
    for (int role = 1; role < missing.length; role++) {
      most = missing[role] > missing[most] ? role : most;
    }
    return Optional.of(new Lack(roles.get(most).task(), missing[most]));
  }

  private List<RoleCapacity> roles(GangShape gang) {
    return gang.tasks().stream().map(task -> new RoleCapacity(index, gang, task)).toList();
  }

  /**
   * Returns the domains of which one must hold the job; adjacent nodes outside all domains form
   * one.
   */
  private List<NodeRange> domains(GangShape gang) {
    int level = gang.topology().widestLevel();
    int nodes = index.topology().nodes().size();
    if (level == index.topology().levels().size() - 1) {
      return IntStream.range(0, nodes).mapToObj(node -> new NodeRange(node, node + 1)).toList();
    }
    List<NodeRange> domains = new ArrayList<>();
    int first = 0;
    for (NodeRange domain : index.nodesOf(level)) {
      int end = domain.first();
      if (first < end) {
        domains.add(new NodeRange(first, end));
      }
      domains.add(domain);
      first = domain.end();
    }
    if (first < nodes) {
      domains.add(new NodeRange(first, nodes));
    }
    return domains;
  }

  /** Returns true if a domain holds each role, and lowers the missing tasks of each. */
  private boolean holds(List<RoleCapacity> roles, NodeRange domain, int[] missing) {
    boolean holds = true;
    for (int role = 0; role < missing.length; role++) {
      int without = missing(roles.get(role), domain);
      missing[role] = Math.min(missing[role], without);
      holds &= without == 0;
    }
    return holds;
  }

  private int missing(RoleCapacity role, NodeRange domain) {
    int missing = role.count();
    int end = domain.end();
    for (int node = next(role, domain.first(), end);
        node < end && missing > 0;
        node = next(role, node + 1, end)) {
      long cpu = index.freeCpu(node);
      long memory = index.freeMemory(node);
      if (role.task().cpu() <= cpu + left.cpu(node)
          && role.task().memory() <= memory + left.memory(node)) {
        int free = role.free(node);
        missing -=
            free == RoleCapacity.NOT_ALLOWED
                ? 0
                : Math.min(missing, role.fitting(node, free, freeShare, cpu, memory, left));
      }
    }
    return missing;
  }

  /**
   * Returns the first node before {@code end}, from this one on, that may hold a task; or the end.
   */
  private int next(RoleCapacity role, int node, int end) {
    return nextFor(role.task().gpus() == 0, node, end);
  }

  /** As {@link #next}; {@code anywhere} is true for tasks without GPUs. */
  private int nextFor(boolean anywhere, int node, int end) {
    if (anywhere || leftNodes == null) {
      return node;
    }
    int free = index.nextWithFreeGpu(node);
    int left = leftNodes.nextSetBit(node);
    return Math.min(free < 0 ? end : free, left < 0 ? end : left);
  }

  /**
   * Returns the number of tasks of an exclusive job, at its smallest size, that each node holds.
   */
  TaskCapacity forJob(JobSpec job) {
    GangShape gang = new GangShape(job.atLeastSize(), index);
    List<RoleCapacity> roles = roles(gang);
    return new TaskCapacity(index, roles, domains(gang), left, nodesFor(roles));
  }

  /** Returns the nodes where a task of any role might go. */
  private PrimitiveIterator.OfInt nodesFor(List<RoleCapacity> roles) {
    boolean anywhere = roles.stream().anyMatch(role -> role.task().gpus() == 0);
    int end = index.topology().nodes().size();
    return IntStream.iterate(
            nextFor(anywhere, 0, end), node -> node < end, node -> nextFor(anywhere, node + 1, end))
        .iterator();
  }
}
