package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: new tasks are placed as a gang of one role by GangFill, in ever wider domains around the
 * tasks there are; each role's addition is taken from the cluster while the next role is placed.
 * Shrinking removes tasks from the nodes with the fewest tasks of the gang.
 * Invariants: tasks that stay keep node and GPUs; PlacementRules hold for every result; the cluster
 * is unchanged after a call, also when a later role fails (GangResizeTest).
 * Cost: larger O(levels x domains of the gang) fills for each role and choice of pools, most of
 * them cut by a count of free GPUs; smaller O(tasks log tasks).
 */
/**
 * Finds the placement of a running gang at a larger or smaller size: tasks of its sized roles are
 * added or removed, and those that stay keep their GPUs. Its topology constraint holds at every
 * size. The cluster is unchanged by a call.
 */
public final class GangResize {

  private final ClusterState cluster;
  private final ClusterTopology topology;
  private final CapacityIndex index;
  private final JobSpec job;
  private final PlacementRules rules;
  private final Placement current;

  /**
   * Makes the search for a job of several sizes.
   *
   * @param job the job, whose tasks take whole GPUs or none
   * @param current its placement
   */
  public GangResize(ClusterState cluster, JobSpec job, Placement current) {
    this.cluster = cluster;
    topology = cluster.topology();
    index = cluster.index();
    this.job = job;
    rules = new PlacementRules(topology, job);
    this.current = current;
  }

  /**
   * Returns the placement of the gang at a larger size: new tasks on a node of their role, else in
   * its domains, the narrowest first, on GPUs of the same model; those of a role without tasks near
   * the whole gang. Empty if it does not fit, or that size is not reached by its steps.
   */
  public Optional<Placement> larger(int size) {
    Optional<List<Integer>> counts = current.counts(job).at(size).map(RoleCounts::tasks);
    return counts.flatMap(more -> whole(more, 0, current.tasks()));
  }

  /** Adds the missing tasks of each role from the given one on. */
  private Optional<Placement> whole(List<Integer> counts, int role, List<TaskPlacement> tasks) {
    if (role == counts.size()) {
      return whole(tasks);
    }
    int missing = counts.get(role) - current.tasksOf(job).get(role);
    if (missing == 0) {
      return whole(counts, role + 1, tasks);
    }
    Optional<Placement> added = added(job.roles().get(role), missing, tasks);
    if (added.isEmpty()) {
      return Optional.empty();
    }
    List<TaskPlacement> more = new ArrayList<>(tasks);
    more.addAll(added.get().tasks());
    cluster.trials().takeBack(added.get());
    Optional<Placement> whole = whole(counts, role + 1, more);
    cluster.trials().giveUp(added.get());
    return whole;
  }

  /**
   * Returns the placement of the gang at a smaller size: of each role the tasks on nodes with the
   * fewest tasks of the gang are removed, so that nodes get empty; of a gang in slices the last
   * tasks. Empty if its topology constraint would break, or that size is not reached by its steps.
   */
  public Optional<Placement> smaller(int size) {
    return current.counts(job).at(size).map(RoleCounts::tasks).flatMap(this::without);
  }

  private Optional<Placement> without(List<Integer> counts) {
    List<TaskPlacement> stay = new ArrayList<>();
    for (int role = 0; role < counts.size(); role++) {
      List<TaskPlacement> tasks = tasksOf(job.roles().get(role), current.tasks());
      Set<TaskPlacement> leaving = leaving(tasks, tasks.size() - counts.get(role));
      tasks.stream().filter(task -> !leaving.contains(task)).forEach(stay::add);
    }
    return whole(stay);
  }

  /** Returns the placement of {@code count} new tasks of a role beside those there are. */
  private Optional<Placement> added(TaskRole role, int count, List<TaskPlacement> tasks) {
    List<TaskPlacement> own = tasksOf(role, tasks);
    List<TaskPlacement> near = own.isEmpty() ? tasks : own;
    Optional<GpuModel> model = model(topology, near);
    if (!isAllowed(model) || free(index, model) < (long) count * role.request().gpus()) {
      return Optional.empty();
    }
    GangShape gang = new GangShape(shape(role, count, near.size(), model), index);
    BitSet full = fullNodes(own);
    for (List<GpuPool> pools : gang.choices(index.pools())) {
      GangFill fill = new GangFill(index, gang, node -> !full.get(node));
      for (int level = topology.levels().size() - 1; level >= widestLevel(); level--) {
        for (NodeRange range : around(near, level)) {
          List<Picks.Pick> picks =
              mayHold(range, level, pools, gang) ? fill.fill(range, level, pools) : List.of();
          if (!picks.isEmpty()) {
            Placement added = Picks.placement(index, gang, picks);
            List<TaskPlacement> all = new ArrayList<>(tasks);
            all.addAll(added.tasks());
            if (rules.keepsTopology(inOrder(all))) {
              return Optional.of(added);
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the nodes whose domains hold as many of a role's tasks as the spread allows. */
  private BitSet fullNodes(List<TaskPlacement> own) {
    BitSet full = new BitSet();
    Map<NodeRange, Integer> tasks = new HashMap<>();
    for (TopologyConstraint.Spread spread : job.topology().spread().stream().toList()) {
      for (TaskPlacement task : own) {
        NodeRange domain = GangTopology.domain(topology, task.node(), spread.level());
        if (tasks.merge(domain, 1, Integer::sum) == spread.maxTasks()) {
          full.set(domain.first(), domain.end());
        }
      }
    }
    return full;
  }

  /**
   * Returns the free GPUs of the model that the tasks of a placement have, of any model if they
   * have none: an upper bound of the growth of a gang of one role.
   */
  public static long freeBeside(ClusterState cluster, Placement current) {
    return free(cluster.index(), model(cluster.topology(), current.tasks()));
  }

  /** Returns the free GPUs of a model, of all models if none is given. */
  private static long free(CapacityIndex index, Optional<GpuModel> model) {
    long free = 0;
    for (GpuPool pool : index.pools()) {
      if (model.isEmpty() || pool.model().equals(model)) {
        free += pool.freeGpus();
      }
    }
    return free;
  }

  private boolean isAllowed(Optional<GpuModel> model) {
    return model.isEmpty() || job.gpuModels().isEmpty() || job.gpuModels().contains(model.get());
  }

  private JobSpec shape(TaskRole role, int count, int before, Optional<GpuModel> model) {
    JobSpec.Builder added =
        job.toBuilder()
            .roles(List.of(role.whole(count)))
            .groups(List.of())
            .communication(Communication.none())
            .parallelism(Parallelism.fixed(count))
            .topology(spreadAs(slices(role, count, before)));
    model.ifPresent(one -> added.gpuModels(List.of(one)));
    return added.build();
  }

  private TopologyConstraint slices(TaskRole role, int count, int before) {
    return job.topology()
        .slices()
        .filter(slices -> role.equals(job.roles().getFirst()) && before % slices.tasks() == 0)
        .map(slices -> slicesOf(slices, count))
        .orElse(TopologyConstraint.NONE);
  }

  private TopologyConstraint spreadAs(TopologyConstraint constraint) {
    return job.topology()
        .spread()
        .map(spread -> constraint.andSpread(spread.maxTasks(), spread.level()))
        .orElse(constraint);
  }

  private static TopologyConstraint slicesOf(Slices slices, int tasks) {
    return TopologyConstraint.NONE.andSlices(Math.min(slices.tasks(), tasks), slices.level());
  }

  private static Optional<GpuModel> model(ClusterTopology topology, List<TaskPlacement> tasks) {
    for (TaskPlacement task : tasks) {
      if (!task.gpus().isEmpty()) {
        return Optional.of(topology.gpu(new GpuId(task.node(), task.gpus().getFirst())).model());
      }
    }
    return Optional.empty();
  }

  private int widestLevel() {
    return job.topology().required().flatMap(topology::levelPosition).orElse(0);
  }

  /** Returns the domains of a level with tasks. */
  private Set<NodeRange> around(List<TaskPlacement> tasks, int level) {
    String name = topology.levels().get(level);
    Set<NodeRange> ranges = new LinkedHashSet<>();
    @Nullable NodeRange last = null;
    for (TaskPlacement task : tasks) {
      if (last == null || !last.contains(topology.position(task.node()))) {
        last =
            level == 0
                ? new NodeRange(0, topology.nodes().size())
                : GangTopology.domain(topology, task.node(), name);
        ranges.add(last);
      }
    }
    return ranges;
  }

  /** Returns false if too few GPUs are free in a range. */
  private static boolean mayHold(NodeRange range, int level, List<GpuPool> pools, GangShape gang) {
    if (pools.size() > 1) {
      return true;
    }
    GpuPool pool = pools.getFirst();
    TaskShape task = gang.tasks().getFirst();
    int slot = pool.firstSlot(range);
    if (slot == pool.endSlot(range)) {
      return false;
    }
    if (level == pool.levels().size()) {
      return pool.free(slot) >= gang.wholeGpus();
    }
    DomainLevel domains = pool.levels().get(level);
    int domain = domains.firstFrom(slot);
    int count = task.role().count();
    return domain == domains.size()
        || !range.equals(domains.nodes(domain))
        || domains.tasks(domain, task.gpus(), count) >= count;
  }

  private Set<TaskPlacement> leaving(List<TaskPlacement> tasks, int count) {
    List<TaskPlacement> order = new ArrayList<>(tasks.reversed());
    if (job.topology().slices().isEmpty()) {
      Map<NodeId, Integer> onNode = new LinkedHashMap<>();
      current.tasks().forEach(task -> onNode.merge(task.node(), 1, Integer::sum));
      order.sort(
          Comparator.<TaskPlacement>comparingInt(task -> onNode.get(task.node()))
              .thenComparing(task -> -topology.position(task.node())));
    }
    return new LinkedHashSet<>(order.subList(0, count));
  }

  private static List<TaskPlacement> tasksOf(TaskRole role, List<TaskPlacement> tasks) {
    return tasks.stream().filter(task -> task.task().role().equals(role.name())).toList();
  }

  /** Returns the placement with these tasks, if all rules hold. */
  private Optional<Placement> whole(List<TaskPlacement> tasks) {
    Placement placement = inOrder(tasks);
    return rules.brokenBy(placement).isEmpty() ? Optional.of(placement) : Optional.empty();
  }

  /** Returns the placement with these tasks in the order of their roles, renumbered. */
  private Placement inOrder(List<TaskPlacement> tasks) {
    List<TaskPlacement> ordered = new ArrayList<>(tasks.size());
    for (TaskRole role : job.roles()) {
      int index = 0;
      for (TaskPlacement task : tasksOf(role, tasks)) {
        TaskId id = new TaskId(role.name(), index++);
        ordered.add(new TaskPlacement(id, task.node(), task.gpus(), task.request()));
      }
    }
    return new Placement(job.id(), ordered);
  }
}
