package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the plain numbers of a job, read once for each search: sums for the first cut, roles
 * hardest first, bitmaps of allowed nodes that copies of the index share.
 * Invariants: immutable for one index; tasks are sorted hardest first while roleOf gives the
 * position in the job; nodes is null if all are allowed; CPU and memory sums are cut from doubles,
 * which cannot overflow.
 * Cost: O(roles log roles) to make, O(1) for the nodes of one common label, else O(nodes); allows
 * O(1); choices O(pools log pools); interleaved O(tasks).
 * Source: Liquid, section 4.2, for the sequence of servers and workers.
 */
/**
 * The requests of a whole job: its tasks, those hardest to place first, and the pools and nodes
 * allowed.
 */
public final class GangShape {

  private static final Comparator<TaskShape> HARDEST_FIRST =
      Comparator.comparingInt(TaskShape::gpus)
          .thenComparingInt(TaskShape::share)
          .thenComparingLong(TaskShape::cpu)
          .thenComparingInt(TaskShape::labels)
          .reversed();

  /** With fewer tasks, filling few nodes does as well. */
  private static final int FEWEST_TASKS_APART = 4;

  /** Up to this many roles are found faster one by one than by name. */
  private static final int FEW_ROLES = 8;

  private final JobSpec job;
  private final List<TaskShape> tasks;
  private final long wholeGpus;
  private final long cpu;
  private final long memory;
  private final @Nullable BitSet nodes;
  private final @Nullable Map<String, BitSet> nodesOfRoles;
  private final GangTopology topology;
  private final @Nullable Map<String, Integer> positions;

  /** Reads the requests of a job for the cluster of an index. */
  public GangShape(JobSpec job, CapacityIndex index) {
    this.job = job;
    topology = new GangTopology(index.topology(), job);
    tasks = shapes(job);
    positions = tasks.size() > FEW_ROLES ? positions(job) : null;
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
    nodes = index.nodesAllowedTo(job);
    nodesOfRoles =
        job.roles().size() > 1 && job.hasLabelledRoles() ? nodesOfRoles(job, index) : null;
  }

  /** Returns the nodes of the roles with labels of their own. */
  private static Map<String, BitSet> nodesOfRoles(JobSpec job, CapacityIndex index) {
    Map<String, BitSet> nodes = new HashMap<>();
    for (TaskRole role : job.roles()) {
      if (!role.nodeLabels().isEmpty()) {
        nodes.put(role.name(), Objects.requireNonNull(index.nodesAllowedTo(job, role)));
      }
    }
    return nodes;
  }

  /**
   * Returns the parts with topologies of their own, those with most GPUs first; empty if there are
   * none.
   */
  List<GangShape> parts(CapacityIndex index) {
    return job.topologyParts().stream()
        .map(part -> new GangShape(part, index))
        .sorted(Comparator.comparingLong(GangShape::wholeGpus).reversed())
        .toList();
  }

  /** Returns true if some parts have topologies of their own. */
  public boolean hasParts() {
    return !job.topologyParts().isEmpty();
  }

  /** Returns the job. */
  public JobSpec job() {
    return job;
  }

  /** Returns its topology constraint. */
  public GangTopology topology() {
    return topology;
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

  /** Returns true if the job is a single task on a share of a GPU. */
  boolean isOneShare() {
    return tasks.size() == 1 && tasks.get(0).isShare() && tasks.get(0).role().count() == 1;
  }

  /**
   * Returns true if roles may compete for nodes: there are several, and they differ or are limited
   * in each domain.
   */
  boolean hasMixedRoles() {
    boolean differ = job.topology().spread().isPresent() || job.topology().slices().isPresent();
    for (TaskShape task : tasks) {
      differ |= !task.requestsLike(tasks.getFirst());
    }
    return differ && tasks.size() > 1;
  }

  /**
   * Returns true if servers and workers are placed in turn: if all tasks take whole GPUs, so that a
   * node opened for one can hold the other.
   */
  public boolean isInterleaved() {
    return job.communication() instanceof Communication.ParameterServer
        && tasks.size() == 2
        && tasks.stream().allMatch(task -> task.wholeGpus() > 0)
        && job.topology().slices().isEmpty();
  }

  /**
   * Returns true if one node for each task is worth a try when one node does not hold all: workers
   * that share no network card wait for their servers once.
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

  TaskShape shapeOf(String role) {
    return tasks.stream().filter(task -> task.role().name().equals(role)).findFirst().orElseThrow();
  }

  /** Returns the tasks of each role, in the order of the job's roles. */
  public TaskShape[] byRole() {
    TaskShape[] byRole = new TaskShape[tasks.size()];
    tasks.forEach(task -> byRole[roleOf(task)] = task);
    return byRole;
  }

  /** Returns the position of the task's role in the job. */
  public int roleOf(TaskShape task) {
    return positions == null
        ? position(task.role().name())
        : Objects.requireNonNull(positions.get(task.role().name()));
  }

  private int position(String role) {
    int position = 0;
    while (!job.roles().get(position).name().equals(role)) {
      position++;
    }
    return position;
  }

  private static Map<String, Integer> positions(JobSpec job) {
    Map<String, Integer> positions = new HashMap<>();
    job.roles().forEach(role -> positions.put(role.name(), positions.size()));
    return positions;
  }

  /** Returns true if tasks may change nodes within a domain without breaking a constraint. */
  public boolean mayMoveTasks() {
    for (TaskShape task : tasks) {
      if (task.isShare()) {
        return false;
      }
    }
    return job.topology().slices().isEmpty()
        && job.topology().spread().isEmpty()
        && nodesOfRoles == null
        && !hasParts();
  }

  /**
   * Returns true if the job may run on the node at the position, by its labels and by name; of
   * several roles, those without labels of their own.
   */
  public boolean allows(int node) {
    return nodes == null || nodes.get(node);
  }

  /** Returns true if tasks of a role may run on the node at the position, by labels and name. */
  public boolean allows(TaskShape task, int node) {
    if (nodesOfRoles == null) {
      return allows(node);
    }
    @Nullable BitSet ofRole = nodesOfRoles.get(task.role().name());
    return ofRole == null ? allows(node) : ofRole.get(node);
  }

  /** Returns true if all roles may run on the same nodes. */
  public boolean allowsRolesAlike() {
    return nodesOfRoles == null;
  }

  /**
   * Returns the first slot of a pool, from {@code slot} on, on whose node the job may run; the
   * pool's size if there is none.
   */
  public int firstAllowed(GpuPool pool, int slot) {
    if (nodes == null || slot >= pool.size()) {
      return slot;
    }
    int node = nodes.nextSetBit(pool.nodeOf(slot));
    return node < 0 ? pool.size() : pool.firstSlot(node);
  }

  /** Returns true if the job may run on all nodes, by their labels and by name. */
  boolean allowsAllNodes() {
    return nodes == null;
  }

  /** Returns true if each role may run on any node, by its labels and by name. */
  boolean allowsAnyNode() {
    return (nodes == null || !nodes.isEmpty())
        && (nodesOfRoles == null || nodesOfRoles.values().stream().noneMatch(BitSet::isEmpty));
  }

  /** Returns true if tasks of this request may use the pool's GPUs at all. */
  public boolean allows(TaskShape task, GpuPool pool) {
    return task.gpus() == 0
        || (task.gpus() <= pool.maxFree()
            && task.gpuMemory() <= pool.memory().bytes()
            && pool.isAllowedTo(job));
  }

  /**
   * Returns the sets of pools to try in turn: single pools before a mix; models in the job's order
   * of preference, and of one model the smallest sufficient memory first, so that larger GPUs stay
   * free for jobs that need them. Models are mixed only if the job allows any.
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
}
