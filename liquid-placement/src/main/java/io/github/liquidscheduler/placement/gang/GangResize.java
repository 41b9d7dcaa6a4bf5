package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a gang that runs gets larger, or what it gives up when it gets smaller: tasks of its
 * first role come or go, and those that stay keep their GPUs. What it requires of its topology
 * holds at every size. The cluster is unchanged by a call.
 */
public final class GangResize {

  private final ClusterTopology topology;
  private final CapacityIndex index;
  private final JobSpec job;
  private final List<TaskPlacement> sized;
  private final List<TaskPlacement> others;

  /**
   * Makes the search for a job of several sizes.
   *
   * @param cluster who runs where
   * @param job the job, whose tasks take whole GPUs or none
   * @param current where it runs
   */
  public GangResize(ClusterState cluster, JobSpec job, Placement current) {
    topology = cluster.topology();
    index = cluster.index();
    this.job = job;
    int size = current.tasks().size() - (job.tasks() - job.roles().getFirst().count());
    sized = current.tasks().subList(0, size);
    others = current.tasks().subList(size, current.tasks().size());
  }

  /**
   * Returns where the gang runs with so many tasks in its first role, more than it has: the new
   * ones on a node that it is on, else in a domain that it is in, the narrowest first, on GPUs of
   * the model it has. Empty if there is no room.
   */
  public Optional<Placement> larger(int tasks) {
    JobSpec added = added(tasks - sized.size());
    GangShape gang = new GangShape(added, index);
    for (List<GpuPool> pools : gang.choices(index.pools())) {
      GangFill fill = new GangFill(index, gang, node -> true);
      for (int level = topology.levels().size() - 1; level >= widestLevel(); level--) {
        for (NodeRange range : around(level)) {
          List<Picks.Pick> picks =
              mayHold(range, level, pools, gang) ? fill.fill(range, level, pools) : List.of();
          Optional<Placement> whole =
              picks.isEmpty()
                  ? Optional.empty()
                  : whole(with(Picks.placement(index, gang, picks).tasks()));
          if (whole.isPresent()) {
            return whole;
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns where the gang runs with so many tasks in its first role, fewer than it has: those go
   * that stand on the nodes with the fewest of them, so that nodes get empty; of a gang in slices
   * the last. Empty if what it requires of its topology would not hold.
   */
  public Optional<Placement> smaller(int tasks) {
    Set<TaskPlacement> leaving = leaving(sized.size() - tasks);
    return whole(sized.stream().filter(task -> !leaving.contains(task)).toList());
  }

  private JobSpec added(int tasks) {
    TaskRole role = job.roles().getFirst();
    JobSpec.Builder added =
        job.toBuilder()
            .roles(List.of(new TaskRole(role.name(), tasks, role.request())))
            .parallelism(Parallelism.fixed(tasks))
            .topology(
                job.topology()
                    .slices()
                    .filter(slices -> sized.size() % slices.tasks() == 0)
                    .map(slices -> slicesOf(slices, tasks))
                    .orElse(TopologyConstraint.NONE));
    model().ifPresent(model -> added.gpuModels(List.of(model)));
    return added.build();
  }

  private static TopologyConstraint slicesOf(Slices slices, int tasks) {
    return TopologyConstraint.NONE.andSlices(Math.min(slices.tasks(), tasks), slices.level());
  }

  private Optional<GpuModel> model() {
    return sized.stream()
        .filter(task -> !task.gpus().isEmpty())
        .map(task -> topology.gpu(new GpuId(task.node(), task.gpus().getFirst())).model())
        .findFirst();
  }

  private int widestLevel() {
    return job.topology().required().flatMap(topology::levelPosition).orElse(0);
  }

  /** Returns the domains of a level that the gang is in. */
  private Set<NodeRange> around(int level) {
    String name = topology.levels().get(level);
    Set<NodeRange> ranges = new LinkedHashSet<>();
    @Nullable NodeRange last = null;
    for (TaskPlacement task : sized) {
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

  /** Returns false if the GPUs that are free in a range are too few. */
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

  private List<TaskPlacement> with(List<TaskPlacement> added) {
    List<TaskPlacement> all = new ArrayList<>(sized);
    all.addAll(added);
    return all;
  }

  private Set<TaskPlacement> leaving(int tasks) {
    List<TaskPlacement> order = new ArrayList<>(sized.reversed());
    if (job.topology().slices().isEmpty()) {
      Map<NodeId, Integer> onNode = new LinkedHashMap<>();
      sized.forEach(task -> onNode.merge(task.node(), 1, Integer::sum));
      others.forEach(task -> onNode.merge(task.node(), 1, Integer::sum));
      order.sort(
          Comparator.<TaskPlacement>comparingInt(task -> onNode.get(task.node()))
              .thenComparing(task -> -topology.position(task.node())));
    }
    return new LinkedHashSet<>(order.subList(0, tasks));
  }

  /** Returns the placement with these tasks of the first role, if all rules hold. */
  private Optional<Placement> whole(List<TaskPlacement> first) {
    List<TaskPlacement> tasks = new ArrayList<>(first.size() + others.size());
    String role = job.roles().getFirst().name();
    for (TaskPlacement task : first) {
      TaskId id = new TaskId(role, tasks.size());
      tasks.add(new TaskPlacement(id, task.node(), task.gpus(), task.request()));
    }
    tasks.addAll(others);
    Placement placement = new Placement(job.id(), tasks);
    return new PlacementRules(topology, job).brokenBy(placement).isEmpty()
        ? Optional.of(placement)
        : Optional.empty();
  }
}
