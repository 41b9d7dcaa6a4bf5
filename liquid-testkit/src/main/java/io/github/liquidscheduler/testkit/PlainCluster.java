package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster whose whole state is a list of placements, from which every answer is counted anew: too
 * slow for production and too simple to be wrong. It takes whatever it is told, over-committed or
 * not; {@link #overCommitments} says what does not add up. It knows no load of links. Not
 * thread-safe.
 */
public final class PlainCluster implements ClusterView {
  private static final int WHOLE = 1000;

  private ClusterTopology topology;
  private final Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
  private final Map<JobId, Placement> running = new LinkedHashMap<>();
  private final Map<NodeId, NodeHealth> unhealthy = new LinkedHashMap<>();
  private final Set<GpuId> lost = new LinkedHashSet<>();

  private PlainCluster(ClusterTopology topology) {
    this.topology = topology;
  }

  /** Returns a cluster in which every node is up and nothing runs. */
  public static PlainCluster of(ClusterTopology topology) {
    return new PlainCluster(topology);
  }

  /** Returns a cluster of the same state that goes its own way from here. */
  public PlainCluster copy() {
    PlainCluster copy = new PlainCluster(topology);
    copy.jobs.putAll(jobs);
    copy.running.putAll(running);
    copy.unhealthy.putAll(unhealthy);
    copy.lost.addAll(lost);
    return copy;
  }

  /** Notes that a job runs from now on, where its placement says. */
  public void start(JobSpec job, Placement placement) {
    jobs.put(job.id(), job);
    running.put(job.id(), placement);
  }

  /** Notes that a job no longer runs; nothing if it did not. */
  public void stop(JobId job) {
    jobs.remove(job);
    running.remove(job);
  }

  /** Sets the health of a node; what runs there is not touched. */
  public void setHealth(NodeId node, NodeHealth health) {
    unhealthy.put(topology.node(node).id(), health);
  }

  /** Has the cluster be made of something else; what runs is not touched. */
  public void changeTopology(ClusterTopology topology) {
    this.topology = topology;
    unhealthy.keySet().removeIf(node -> !topology.contains(node));
    lost.removeIf(gpu -> !topology.contains(gpu));
  }

  /** Marks a GPU as lost; what runs there is not touched. */
  public void lose(GpuId gpu) {
    topology.gpu(gpu);
    lost.add(gpu);
  }

  /** Marks a GPU as no longer lost. */
  public void restore(GpuId gpu) {
    lost.remove(gpu);
  }

  /** Returns what is held more than once, one sentence each; nothing if all is well. */
  public List<String> overCommitments() {
    return overCommitments(topology.nodes().stream().map(Node::id).toList());
  }

  /** Returns what is held more than once on the nodes. */
  List<String> overCommitments(Collection<NodeId> nodes) {
    return nodes.stream().map(topology::node).flatMap(this::overCommitments).toList();
  }

  private Stream<String> overCommitments(Node node) {
    List<String> found = new ArrayList<>();
    require(found, "CPU of " + node.id(), cpuLeft(node.id()));
    require(found, "memory of " + node.id(), memoryLeft(node.id()));
    for (GpuId gpu : gpus(node)) {
      require(found, "compute of " + gpu, shareLeft(gpu));
      require(found, "memory of " + gpu, gpuMemoryLeft(gpu));
    }
    return found.stream();
  }

  private static void require(List<String> found, String what, long left) {
    if (left < 0) {
      found.add("%s is over-committed by %d".formatted(what, -left));
    }
  }

  @Override
  public ClusterTopology topology() {
    return topology;
  }

  @Override
  public NodeHealth health(NodeId node) {
    return unhealthy.getOrDefault(topology.node(node).id(), NodeHealth.UP);
  }

  @Override
  public boolean isLost(GpuId gpu) {
    topology.gpu(gpu);
    return lost.contains(gpu);
  }

  @Override
  public int freeGpus(NodeId node) {
    return (int) gpus(topology.node(node)).stream().filter(this::isFree).count();
  }

  @Override
  public boolean isFree(GpuId gpu) {
    return health(gpu.node()) == NodeHealth.UP && !isLost(gpu) && holders(gpu).findAny().isEmpty();
  }

  @Override
  public CpuCores freeCpu(NodeId node) {
    return new CpuCores(Math.max(0, cpuLeft(node)));
  }

  @Override
  public Memory freeMemory(NodeId node) {
    return new Memory(Math.max(0, memoryLeft(node)));
  }

  @Override
  public int freeShare(GpuId gpu) {
    return (int) Math.max(0, shareLeft(gpu));
  }

  @Override
  public Memory freeGpuMemory(GpuId gpu) {
    return new Memory(Math.max(0, gpuMemoryLeft(gpu)));
  }

  @Override
  public List<Resident> residents(GpuId gpu) {
    topology.gpu(gpu);
    return running.values().stream()
        .flatMap(
            placement ->
                placement.tasks().stream()
                    .filter(task -> holds(task, gpu))
                    .map(task -> resident(placement.job(), task)))
        .toList();
  }

  private static Resident resident(JobId job, TaskPlacement task) {
    Memory memory = task.request().gpuMemory().orElse(Memory.ZERO);
    return new Resident(job, task.task(), task.share(), memory);
  }

  @Override
  public Bandwidth nicLoad(NodeId node) {
    topology.node(node);
    return Bandwidth.ZERO;
  }

  @Override
  public Bandwidth uplinkLoad(DomainId domain) {
    topology.domain(domain);
    return Bandwidth.ZERO;
  }

  @Override
  public List<JobId> runningJobs() {
    return List.copyOf(running.keySet());
  }

  @Override
  public Optional<Placement> placement(JobId job) {
    return Optional.ofNullable(running.get(job));
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return Optional.ofNullable(jobs.get(job));
  }

  private long cpuLeft(NodeId node) {
    return topology.node(node).cpu().millicores()
        - held(node, task -> task.request().cpu().orElse(CpuCores.ZERO).millicores());
  }

  private long memoryLeft(NodeId node) {
    return topology.node(node).memory().bytes()
        - held(node, task -> task.request().memory().orElse(Memory.ZERO).bytes());
  }

  private long held(NodeId node, ToLongFunction<TaskPlacement> amount) {
    return tasks().filter(task -> task.node().equals(node)).mapToLong(amount).sum();
  }

  private long shareLeft(GpuId gpu) {
    return WHOLE - holders(gpu).mapToLong(task -> task.share().thousandths()).sum();
  }

  private long gpuMemoryLeft(GpuId gpu) {
    return topology.gpu(gpu).memory().bytes()
        - holders(gpu)
            .mapToLong(task -> task.request().gpuMemory().orElse(Memory.ZERO).bytes())
            .sum();
  }

  private Stream<TaskPlacement> holders(GpuId gpu) {
    return tasks().filter(task -> holds(task, gpu));
  }

  private static boolean holds(TaskPlacement task, GpuId gpu) {
    return task.node().equals(gpu.node()) && task.gpus().contains(gpu.index());
  }

  private Stream<TaskPlacement> tasks() {
    return running.values().stream().flatMap(placement -> placement.tasks().stream());
  }

  private static List<GpuId> gpus(Node node) {
    return IntStream.range(0, node.gpus().size()).mapToObj(i -> new GpuId(node.id(), i)).toList();
  }

  /** Returns who runs where, and what is not well. */
  @Override
  public String toString() {
    return "%s, running %s, not up %s, lost %s"
        .formatted(topology, running.values(), unhealthy, lost);
  }
}
