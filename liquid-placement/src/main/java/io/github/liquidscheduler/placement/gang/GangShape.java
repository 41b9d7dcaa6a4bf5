package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a whole job requests of a cluster: its tasks, those hardest to place first, and which pools
 * and nodes are allowed.
 */
public final class GangShape {

  private static final Comparator<TaskShape> HARDEST_FIRST =
      Comparator.comparingInt(TaskShape::gpus)
          .thenComparingInt(TaskShape::share)
          .thenComparingLong(TaskShape::cpu)
          .reversed();

  /** With fewer, filling few nodes does as well. */
  private static final int FEWEST_TASKS_APART = 4;

  private final JobSpec job;
  private final List<TaskShape> tasks;
  private final long wholeGpus;
  private final long cpu;
  private final long memory;
  private final @Nullable BitSet nodes;
  private final ClusterTopology topology;
  private final int maxTasksInDomain;

  /** Reads what a job requests of the cluster behind an index. */
  public GangShape(JobSpec job, CapacityIndex index) {
    this.job = job;
    topology = index.topology();
    tasks = shapes(job);
    maxTasksInDomain =
        job.topology().spread().map(TopologyConstraint.Spread::maxTasks).orElse(Integer.MAX_VALUE);
    long gpuSum = 0;
    double cpuSum = 0;
    double memorySum = 0;
    for (TaskShape task : tasks) {
      long count = task.role().count();
      gpuSum += count * task.wholeGpus();
      cpuSum += (double) count * task.cpu();
      memorySum += (double) count * task.memory();
    }
    wholeGpus = gpuSum;
    cpu = (long) cpuSum;
    memory = (long) memorySum;
    nodes = job.nodeLabels().isEmpty() ? null : index.nodesWith(job.nodeLabels());
  }

  /** Returns the job. */
  public JobSpec job() {
    return job;
  }

  /** Returns the tasks of each role, those hardest to place first. */
  public List<TaskShape> tasks() {
    return tasks;
  }

  /** Returns the whole GPUs of all tasks. */
  public long wholeGpus() {
    return wholeGpus;
  }

  /** Returns the CPU of all tasks, in millicores. */
  long cpu() {
    return cpu;
  }

  /** Returns the host memory of all tasks, in bytes. */
  long memory() {
    return memory;
  }

  /** Returns whether the job is a single task on a share of a GPU. */
  boolean isOneShare() {
    return tasks.size() == 1 && tasks.get(0).isShare() && tasks.get(0).role().count() == 1;
  }

  /** Returns the names of all levels that the job names. */
  public List<String> levels() {
    return Stream.of(
            job.topology().required(),
            job.topology().preferred(),
            job.topology().slices().map(TopologyConstraint.Slices::level),
            job.topology().spread().map(TopologyConstraint.Spread::level))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns how many consecutive tasks must stay together; {@link Integer#MAX_VALUE} if none. */
  int sliceOf(TaskShape task) {
    return job.topology()
        .slices()
        .filter(slices -> task.role().equals(job.roles().get(0)))
        .map(TopologyConstraint.Slices::tasks)
        .orElse(Integer.MAX_VALUE);
  }

  /** Returns the position of the level in one domain of which a slice must lie. */
  int sliceLevel() {
    return position(job.topology().slices().map(TopologyConstraint.Slices::level));
  }

  /** Returns whether each slice lies on one node or in one domain of its level. */
  public boolean holdsSlices(Placement placement) {
    TaskRole first = job.roles().get(0);
    List<TaskPlacement> sliced = placement.tasks().subList(0, first.count());
    return job.topology().slices().stream()
        .allMatch(slices -> partition(sliced, slices.tasks()).stream().allMatch(this::holds));
  }

  private boolean holds(List<TaskPlacement> slice) {
    int node = topology.position(slice.get(0).node());
    String level = topology.levels().get(sliceLevel());
    NodeRange domain =
        topology
            .domainOf(slice.get(0).node(), level)
            .map(found -> topology.nodesOf(found.id()))
            .orElse(new NodeRange(node, node + 1));
    return slice.stream().allMatch(task -> domain.contains(topology.position(task.node())));
  }

  /** Returns how many tasks of a role one domain may hold; {@link Integer#MAX_VALUE} if any. */
  int maxTasksInDomain() {
    return maxTasksInDomain;
  }

  /** Returns the nodes of the domain that may hold so many tasks and that the node is in. */
  NodeRange spreadDomain(int node) {
    NodeId id = topology.nodes().get(node).id();
    return job.topology()
        .spread()
        .flatMap(spread -> topology.domainOf(id, spread.level()))
        .map(domain -> topology.nodesOf(domain.id()))
        .orElse(new NodeRange(node, node + 1));
  }

  /**
   * Returns the position of the narrowest level a single domain of which may hold the whole gang,
   * as far as the spread allows.
   */
  int narrowestLevel() {
    int narrowest = topology.levels().size() - 1;
    for (TaskShape task : tasks) {
      if (task.role().count() > maxTasksInDomain) {
        narrowest = position(job.topology().spread().map(TopologyConstraint.Spread::level)) - 1;
      }
    }
    return narrowest;
  }

  /**
   * Returns whether servers and workers are placed in turn: where all tasks take whole GPUs, so
   * that a node opened for one has room for the other.
   */
  public boolean isInterleaved() {
    return job.communication() instanceof Communication.ParameterServer
        && tasks.size() == 2
        && tasks.stream().allMatch(task -> task.wholeGpus() > 0)
        && job.topology().slices().isEmpty();
  }

  /**
   * Returns whether a node each is worth a try for tasks that do not fit on one: workers that share
   * no network card wait for their servers once.
   */
  public boolean mayStandApart() {
    return job.communication() instanceof Communication.ParameterServer
        && job.tasks() >= FEWEST_TASKS_APART;
  }

  /**
   * Returns all tasks, servers and workers alternating in proportion, a server first: one server
   * and two workers give s w w, three servers and two workers s w s w s (Liquid, section 4.2).
   */
  public List<TaskShape> interleaved() {
    if (!(job.communication() instanceof Communication.ParameterServer pattern)) {
      throw new IllegalStateException("job '" + job.id() + "' has no parameter servers");
    }
    TaskShape server = shapeOf(pattern.serverRole());
    TaskShape worker = shapeOf(pattern.workerRole());
    int servers = server.role().count();
    int workers = worker.role().count();
    List<TaskShape> sequence = new ArrayList<>(servers + workers);
    int placed = 0;
    while (sequence.size() < servers + workers) {
      int workersPlaced = sequence.size() - placed;
      boolean serverNext =
          placed < servers
              && (workersPlaced == workers
                  || (long) placed * workers <= (long) workersPlaced * servers);
      sequence.add(serverNext ? server : worker);
      placed += serverNext ? 1 : 0;
    }
    return sequence;
  }

  private TaskShape shapeOf(String role) {
    return tasks.stream().filter(task -> task.role().name().equals(role)).findFirst().orElseThrow();
  }

  /** Returns the position of the task's role in the job. */
  public int roleOf(TaskShape task) {
    return job.roles().indexOf(task.role());
  }

  /** Returns whether tasks may change nodes within a domain without breaking anything. */
  public boolean mayMoveTasks() {
    return job.topology().slices().isEmpty()
        && job.topology().spread().isEmpty()
        && tasks.stream().noneMatch(TaskShape::isShare);
  }

  /** Returns the position of the preferred level, or -1 if none is preferred. */
  public int preferredLevel() {
    return job.topology().preferred().flatMap(topology::levelPosition).orElse(-1);
  }

  private int position(Optional<String> level) {
    return level.flatMap(topology::levelPosition).orElse(0);
  }

  /** Returns whether the node at the position carries the labels requested. */
  public boolean allows(int node) {
    return nodes == null || nodes.get(node);
  }

  /**
   * Returns the first slot of a pool, from {@code slot} on, whose node carries the labels
   * requested; the pool's size if there is none.
   */
  public int firstAllowed(GpuPool pool, int slot) {
    if (nodes == null || slot >= pool.size()) {
      return slot;
    }
    int node = nodes.nextSetBit(pool.nodeOf(slot));
    return node < 0 ? pool.size() : pool.firstSlot(node);
  }

  /** Returns whether any node carries the labels requested. */
  boolean allowsAnyNode() {
    return nodes == null || !nodes.isEmpty();
  }

  /** Returns whether tasks of this request may use the pool's GPUs at all. */
  public boolean allows(TaskShape task, GpuPool pool) {
    return task.gpus() == 0
        || (task.gpus() <= pool.maxFree()
            && task.gpuMemory() <= pool.memory().bytes()
            && pool.model().filter(this::allows).isPresent());
  }

  /**
   * Returns the sets of pools to try, one after the other. GPUs of one pool are tried before a mix;
   * the models in the job's order of preference, and of one model the smallest memory that is
   * enough first, so that larger GPUs stay free for those who need them. Models are mixed only if
   * the job allows any.
   */
  public List<List<GpuPool>> choices(List<GpuPool> pools) {
    if (pools.size() == 1 || tasks.get(0).gpus() == 0) {
      return List.of(pools);
    }
    List<List<GpuPool>> choices = new ArrayList<>();
    if (job.gpuModels().isEmpty()) {
      addChoices(choices, pools.stream().filter(pool -> pool.model().isPresent()).toList());
    }
    for (GpuModel model : job.gpuModels()) {
      addChoices(
          choices,
          pools.stream().filter(pool -> pool.model().filter(model::equals).isPresent()).toList());
    }
    return choices;
  }

  private boolean allows(GpuModel model) {
    return job.gpuModels().isEmpty() || job.gpuModels().contains(model);
  }

  private static void addChoices(List<List<GpuPool>> choices, List<GpuPool> pools) {
    pools.stream()
        .sorted(Comparator.comparing(GpuPool::memory))
        .map(List::of)
        .forEach(choices::add);
    if (pools.size() > 1) {
      choices.add(pools);
    }
  }

  private static List<TaskShape> shapes(JobSpec job) {
    if (job.roles().size() == 1) {
      return List.of(TaskShape.of(job.roles().get(0)));
    }
    return job.roles().stream().map(TaskShape::of).sorted(HARDEST_FIRST).toList();
  }

  /** Returns the list in parts of {@code size}, the last of which may be smaller. */
  static <T> List<List<T>> partition(List<T> list, int size) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < list.size(); from += size) {
      parts.add(list.subList(from, Math.min(list.size(), from + size)));
    }
    return parts;
  }
}
