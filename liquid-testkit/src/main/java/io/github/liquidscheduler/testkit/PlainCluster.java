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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A cluster whose whole state is a list of placements, from which every answer is counted again:
 * too slow for production and too simple to be wrong. It takes whatever it is told, over-committed
 * or not; {@link #overCommitments} says what does not add up. It knows no load of links. Not
 * thread-safe.
 */
public final class PlainCluster implements ClusterView {
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

  /**
   * Returns a cluster of the state that a view shows, except loads of links; {@code jobs} tells
   * more of running jobs.
   */
  public static PlainCluster copyOf(ClusterView view, Function<JobId, Optional<JobSpec>> jobs) {
    PlainCluster copy = new PlainCluster(view.topology());
    for (JobId job : view.runningJobs()) {
      copy.running.put(job, view.placement(job).orElseThrow());
      view.job(job).or(() -> jobs.apply(job)).ifPresent(known -> copy.jobs.put(job, known));
    }
    for (Node node : view.topology().nodes()) {
      copy.setHealth(node.id(), view.health(node.id()));
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        GpuId id = new GpuId(node.id(), gpu);
        if (view.isLost(id)) {
          copy.lose(id);
        }
      }
    }
    return copy;
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

  /** Returns the over-commitments, one sentence each; nothing if all is well. */
  public List<String> overCommitments() {
    return overCommitments(topology.nodes().stream().map(Node::id).toList());
  }

  /** Returns the over-commitments on the nodes. */
  List<String> overCommitments(Collection<NodeId> nodes) {
    PlainHoldings holdings = holdings();
    return nodes.stream().map(topology::node).flatMap(holdings::overCommitments).toList();
  }

  private PlainHoldings holdings() {
    return new PlainHoldings(topology, running.values());
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
    return (int) PlainHoldings.gpus(topology.node(node)).stream().filter(this::isFree).count();
  }

  @Override
  public boolean isFree(GpuId gpu) {
    return health(gpu.node()) == NodeHealth.UP
        && !isLost(gpu)
        && holdings().holders(gpu).findAny().isEmpty();
  }

  @Override
  public CpuCores freeCpu(NodeId node) {
    return new CpuCores(Math.max(0, holdings().cpuLeft(node)));
  }

  @Override
  public Memory freeMemory(NodeId node) {
    return new Memory(Math.max(0, holdings().memoryLeft(node)));
  }

  @Override
  public int freeShare(GpuId gpu) {
    return (int) Math.max(0, holdings().shareLeft(gpu));
  }

  @Override
  public Memory freeGpuMemory(GpuId gpu) {
    return new Memory(Math.max(0, holdings().gpuMemoryLeft(gpu)));
  }

  @Override
  public List<Resident> residents(GpuId gpu) {
    topology.gpu(gpu);
    return running.values().stream()
        .flatMap(
            placement ->
                placement.tasks().stream()
                    .filter(task -> PlainHoldings.holds(task, gpu))
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

  /** Returns the placements and what is down. */
  @Override
  public String toString() {
    return "%s, running %s, not up %s, lost %s"
        .formatted(topology, running.values(), unhealthy, lost);
  }
}
