package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one mutable view over five parts kept in step: amounts (CapacityIndex), tasks (TaskBooks),
 * jobs (PlacedJobs), traffic (LinkLoads) and shared GPUs.
 * Invariants: nothing is over-committed; a call that throws has changed nothing; no job may start
 * or end while one is suspended for a trial (ClusterStateLaws).
 * Cost: apply and release O(GPUs of the job's nodes x levels + links crossed); copy, changed
 * topology O(nodes + jobs).
 */
/**
 * The placements of running jobs and the free capacity. Nothing can be over-committed: a placement
 * that does not fit is refused whole. Not thread-safe.
 */
public final class ClusterState implements ClusterView {

  private final PlacedJobs placed;
  private CapacityIndex index;
  private TaskBooks books;
  private LinkLoads loads;
  private SharedGpus shared;
  private final ClusterTrials trials;
  private Observations observations = Observations.NONE;
  private BiPredicate<NodeId, Dataset> copies = (node, dataset) -> false;

  private ClusterState(
      CapacityIndex index, PlacedJobs placed, TaskBooks books, LinkLoads loads, SharedGpus shared) {
    this.index = index;
    this.placed = placed;
    this.books = books;
    this.loads = loads;
    this.shared = shared;
    trials = new ClusterTrials(this, placed);
  }

  /** Returns the state of an idle cluster with all nodes up and the default network parameters. */
  public static ClusterState of(ClusterTopology topology) {
    return of(topology, NetworkParameters.DEFAULT);
  }

  /** Returns the state of an idle cluster with all nodes up. */
  public static ClusterState of(ClusterTopology topology, NetworkParameters network) {
    return idle(new CapacityIndex(topology), NetworkModel.of(topology, network));
  }

  private static ClusterState idle(CapacityIndex index, NetworkModel network) {
    TaskBooks books = TaskBooks.of(index);
    LinkLoads loads = LinkLoads.none(network);
    return new ClusterState(index, new PlacedJobs(), books, loads, new SharedGpus());
  }

  /** Returns the state of the same cluster, idle and with all nodes up; O(nodes + GPUs). */
  public ClusterState idle() {
    return idle(index.idle(), loads.model());
  }

  /** Returns the view itself if it is a state, else a state equal to it; O(nodes). */
  public static ClusterState of(ClusterView view) {
    return view instanceof ClusterState state ? state : copyOf(view);
  }

  /** Returns an independent state equal to {@code view}; O(nodes). */
  public static ClusterState copyOf(ClusterView view) {
    if (view instanceof ClusterState state) {
      return state.copy();
    }
    ClusterState state = of(view.topology());
    for (JobId job : view.runningJobs()) {
      view.placement(job)
          .ifPresent(
              place -> state.add(view.job(job).orElse(null), place, () -> state.books.add(place)));
    }
    state.copyHealth(view);
    state.observe(view.observations());
    state.knowCopies(view::holds);
    return state;
  }

  /** Returns an independent copy; O(nodes). */
  public ClusterState copy() {
    CapacityIndex copied = index.copy();
    ClusterState copy =
        new ClusterState(copied, placed.copy(), books.copy(copied), loads().copy(), shared.copy());
    copy.observations = observations;
    copy.copies = copies;
    return copy;
  }

  /** Returns the index of free capacity behind this state. */
  public CapacityIndex index() {
    return index;
  }

  /** Returns the traffic of the running jobs on each link. */
  public LinkLoads loads() {
    trials.stopSending(loads);
    return loads;
  }

  /** Returns the traffic, with that of suspended jobs which still send. */
  LinkLoads loadsAsTheyAre() {
    return loads;
  }

  /** Returns the trials: what would fit without some jobs, or with others. */
  public ClusterTrials trials() {
    return trials;
  }

  TaskBooks books() {
    return books;
  }

  /** Notes other tasks on the GPUs of a placement. */
  void regroup(Placement placement) {
    shared.regroup(placement, topology(), index.isAnyDraining());
  }

  /** Returns the wholly free GPUs of all nodes that are up; constant time. */
  public int freeGpus() {
    return index.freeGpus();
  }

  /**
   * Places a job, whose description need not be known.
   *
   * @throws IllegalStateException if the job is placed already, a node or GPU is not up or does not
   *     have what the placement takes, or a job is suspended; nothing is then changed
   */
  public void apply(Placement placement) {
    add(null, placement, () -> books.add(placement));
  }

  /**
   * Places a job, with its traffic and as a co-runner for others. Its size is that of the
   * placement.
   *
   * @throws IllegalArgumentException if it is not allowed to have the size that the placement has
   * @throws IllegalStateException as {@link #apply(Placement)} does
   */
  public void apply(JobSpec job, Placement placement) {
    add(placement.sized(job), placement, () -> books.add(placement));
  }

  /**
   * Returns true if {@link #apply(Placement)} would take the placement, were suspended jobs
   * removed.
   */
  public boolean fits(Placement placement) {
    return placement(placement.job()).isEmpty() && books.fits(placement);
  }

  /**
   * Returns true if {@link #applyAgain} would take the placement, were suspended jobs removed: what
   * it takes is free, whatever the health of its nodes.
   */
  public boolean fitsAgain(Placement placement) {
    return placement(placement.job()).isEmpty() && books.isFree(placement);
  }

  /**
   * Does as {@link #apply(JobSpec, Placement)} for a job that still runs there, whatever the health
   * of its nodes.
   *
   * @throws IllegalStateException if the job is placed already, or what it takes is not free, or a
   *     job is suspended; nothing is then changed
   */
  public void applyAgain(JobSpec job, Placement placement) {
    add(placement.sized(job), placement, () -> books.addAgain(placement));
  }

  /**
   * Does as {@link #apply(JobSpec, Placement)} for a job that is known to run there: more may then
   * be held than there is, of which nothing is free.
   *
   * @throws IllegalStateException if the job is placed already, or a job is suspended; nothing is
   *     then changed
   */
  public void applyHeld(JobSpec job, Placement placement) {
    add(placement.sized(job), placement, () -> books.addHeld(placement));
    shared.regroup(placement, topology(), true);
  }

  private void add(@Nullable JobSpec job, Placement placement, Runnable take) {
    placed.requireMayAdd(placement.job());
    take.run();
    placed.add(job, placement);
    if (job != null) {
      loads.add(job, placement);
    }
    regroup(placement);
  }

  /**
   * Removes a job and frees its capacity.
   *
   * @throws IllegalStateException if the job is not placed, or a job is suspended
   */
  public void release(JobId job) {
    placed.requireNoneSuspended();
    loads.removeIfAdded(job);
    Placement placement = placed.remove(job);
    books.remove(placement);
    regroup(placement);
  }

  /**
   * Places a job where it was before, in its former order among the placed jobs and whatever the
   * health of its nodes: the inverse of a {@link #release} after which nothing else has taken its
   * capacity.
   *
   * @param arrival its {@linkplain #arrival number of arrival} then
   * @throws IllegalStateException if the job is placed, or a job is suspended
   */
  public void putBack(JobSpec job, Placement placement, long arrival) {
    placed.requireMayAdd(placement.job());
    JobSpec sized = placement.sized(job);
    placed.add(sized, placement, arrival);
    Comparator<JobId> order = Comparator.comparingLong(placed::arrival);
    books.putBack(placement, order);
    loads.putBack(sized, placement, order);
    regroup(placement);
  }

  /** Returns the number by which a placed job is ordered among the others. */
  public long arrival(JobId job) {
    return placed.arrival(job);
  }

  /**
   * Changes the size of a job. Tasks that stay keep their GPUs, whatever the health of their nodes;
   * the job becomes the last of those running.
   *
   * @throws IllegalArgumentException if it is not allowed to have that size
   * @throws IllegalStateException if the job is not placed, a task that is new does not fit, or a
   *     job is suspended; nothing is then changed
   */
  public void resize(JobSpec job, Placement to) {
    placed.requireNoneSuspended();
    JobSpec sized = to.sized(job);
    Placement before =
        placed
            .placement(job.id())
            .orElseThrow(() -> new IllegalStateException("job '" + job.id() + "' is not placed"));
    books.replace(before, to);
    loads.removeIfAdded(job.id());
    placed.remove(job.id());
    placed.add(sized, to);
    loads.add(sized, to);
    regroup(before);
    regroup(to);
  }

  /**
   * Changes the topology. Placements, traffic and the health of nodes and GPUs that stay are kept;
   * new nodes are up. O(nodes + GPUs + links that jobs send over).
   *
   * @throws IllegalArgumentException if a job runs on a node that is gone, or a node that stays has
   *     changed
   * @throws IllegalStateException if a job is suspended
   */
  public void changeTopology(ClusterTopology changed) {
    placed.requireNoneSuspended();
    ClusterParts parts = new ClusterParts(index, books, loads, shared).in(changed, placed);
    index = parts.index();
    books = parts.books();
    loads = parts.loads();
    shared = parts.shared();
  }

  /** Sets the health of a node; its jobs are not touched. */
  public void setHealth(NodeId node, NodeHealth health) {
    index.setHealth(position(node), health);
  }

  /** Marks a GPU as lost; its jobs are not touched. */
  public void fail(GpuId gpu) {
    index.setLost(position(gpu), gpu.index(), true);
  }

  /** Marks a GPU as no longer lost. */
  public void restore(GpuId gpu) {
    index.setLost(position(gpu), gpu.index(), false);
  }

  @Override
  public ClusterTopology topology() {
    return index.topology();
  }

  @Override
  public NodeHealth health(NodeId node) {
    return index.toldHealth(position(node));
  }

  @Override
  public boolean isLost(GpuId gpu) {
    return index.isLost(position(gpu), gpu.index());
  }

  @Override
  public int freeGpus(NodeId node) {
    int position = position(node);
    return (int)
        IntStream.range(0, index.gpus(position)).filter(gpu -> isFree(position, gpu)).count();
  }

  @Override
  public boolean isFree(GpuId gpu) {
    return isFree(position(gpu), gpu.index());
  }

  /** Returns true if one of these GPUs, by their positions in the cluster, is wholly free. */
  public boolean hasFree(BitSet gpus) {
    return gpus.stream()
        .anyMatch(
            gpu -> isFree(index.nodeOfGpu(gpu), gpu - topology().gpusBefore(index.nodeOfGpu(gpu))));
  }

  @Override
  public CpuCores freeCpu(NodeId node) {
    return new CpuCores(Math.max(0, index.freeCpu(position(node))));
  }

  @Override
  public Memory freeMemory(NodeId node) {
    return new Memory(Math.max(0, index.freeMemory(position(node))));
  }

  @Override
  public int freeShare(GpuId gpu) {
    return Math.max(0, index.freeShare(position(gpu), gpu.index()));
  }

  @Override
  public Memory freeGpuMemory(GpuId gpu) {
    return new Memory(Math.max(0, index.freeGpuMemory(position(gpu), gpu.index())));
  }

  @Override
  public List<Resident> residents(GpuId gpu) {
    return placed.shown(gpu, books.residents(position(gpu), gpu.index()));
  }

  @Override
  public Bandwidth nicLoad(NodeId node) {
    return loads().nicLoad(node);
  }

  @Override
  public Bandwidth uplinkLoad(DomainId domain) {
    return loads().uplinkLoad(domain);
  }

  @Override
  public List<JobId> runningJobs() {
    return placed.running();
  }

  @Override
  public Optional<Placement> placement(JobId job) {
    return placed.placement(job);
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return placed.job(job);
  }

  @Override
  public Observations observations() {
    return observations;
  }

  /** Sets the observations learned from reports. */
  public void observe(Observations observations) {
    this.observations = Objects.requireNonNull(observations, "observations");
  }

  @Override
  public boolean holds(NodeId node, Dataset dataset) {
    return copies.test(node, dataset);
  }

  /**
   * Sets the predicate that tells which node has a copy of which data set; copies of this state
   * share it.
   */
  public void knowCopies(BiPredicate<NodeId, Dataset> known) {
    copies = Objects.requireNonNull(known, "known");
  }

  /** Returns the GPUs that jobs hold shares of, by their resident sets. */
  public SharedGpus shared() {
    shared.settle(this);
    return shared;
  }

  private boolean isFree(int node, int gpu) {
    return index.health(node) == NodeHealth.UP
        && index.freeShare(node, gpu) == 1000
        && !index.isLost(node, gpu);
  }

  private int position(NodeId node) {
    return topology().position(node);
  }

  private int position(GpuId gpu) {
    topology().gpu(gpu);
    return position(gpu.node());
  }

  /**
   * Copies the health of all nodes and GPUs from a view of the same cluster, of which closed nodes
   * drain; O(nodes).
   */
  public void copyHealth(ClusterView view) {
    for (Node node : view.topology().nodes()) {
      NodeHealth health =
          view instanceof ClusterState state
              ? state.index.health(position(node.id()))
              : view.health(node.id());
      if (health != NodeHealth.UP) {
        setHealth(node.id(), health);
      }
      IntStream.range(0, node.gpus().size())
          .mapToObj(gpu -> new GpuId(node.id(), gpu))
          .filter(view::isLost)
          .forEach(this::fail);
    }
  }
}
