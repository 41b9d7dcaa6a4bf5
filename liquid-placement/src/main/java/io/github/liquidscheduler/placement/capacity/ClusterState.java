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
import io.github.liquidscheduler.cluster.TaskPlacement;
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
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one mutable view over five parts kept in step: amounts (CapacityIndex), tasks (TaskBooks),
 * jobs (PlacedJobs), traffic (LinkLoads) and shared GPUs. Trials suspend and resume jobs in place
 * instead of copying the cluster.
 * Invariants: nothing is over-committed; a call that throws has changed nothing; suspend and resume
 * are inverses and keep order; no job may start or end while one is suspended (ClusterStateLaws).
 * Cost: apply, release, suspend O(GPUs of the job's nodes x levels + links crossed); copy, changed
 * topology O(nodes + jobs). Traffic of suspended jobs leaves the loads only when these are read.
 * Rejected: a copy of the cluster for each trial, O(nodes + jobs).
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
  // Suspended jobs whose traffic is still in the loads, until these are read.
  private final Set<JobId> stillSending = new LinkedHashSet<>();
  // How to end each trial that has begun, in the order of their beginnings.
  private final SequencedMap<Object, Runnable> trials = new LinkedHashMap<>();
  private Observations observations = Observations.NONE;
  private BiPredicate<NodeId, Dataset> copies = (node, dataset) -> false;

  /** A trial in which the amounts of these very tasks are taken, or given up. */
  @SuppressWarnings("ReferenceEquality") // equal tasks may be given up twice
  private record Amounts(Placement tasks, boolean taken) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Amounts same && same.tasks == tasks && same.taken == taken;
    }

    @Override
    public int hashCode() {
      return tasks.job().hashCode();
    }
  }

  /** A trial in which a job is placed. */
  private record Tentative(JobId job) {}

  private ClusterState(
      CapacityIndex index, PlacedJobs placed, TaskBooks books, LinkLoads loads, SharedGpus shared) {
    this.index = index;
    this.placed = placed;
    this.books = books;
    this.loads = loads;
    this.shared = shared;
  }

  /** Returns the state of an idle cluster with all nodes up and the default network parameters. */
  public static ClusterState of(ClusterTopology topology) {
    return of(topology, NetworkParameters.DEFAULT);
  }

  /** Returns the state of an idle cluster with all nodes up. */
  public static ClusterState of(ClusterTopology topology, NetworkParameters network) {
    CapacityIndex index = new CapacityIndex(topology);
    return new ClusterState(
        index,
        new PlacedJobs(),
        TaskBooks.of(index),
        LinkLoads.none(NetworkModel.of(topology, network)),
        new SharedGpus());
  }

  /** Returns the state of another idle cluster with all nodes up and this network's parameters. */
  public ClusterState idle(ClusterTopology other) {
    return of(other, loads.model().parameters());
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
      view.placement(job).ifPresent(placement -> state.add(view.job(job).orElse(null), placement));
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
    stillSending.forEach(loads::removeIfAdded);
    stillSending.clear();
    return loads;
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
    add(null, placement);
  }

  /**
   * Places a job, with its traffic and as a co-runner for others. Its size is that of the
   * placement.
   *
   * @throws IllegalArgumentException if it is not allowed to have the size that the placement has
   * @throws IllegalStateException as {@link #apply(Placement)} does
   */
  public void apply(JobSpec job, Placement placement) {
    add(placement.sized(job), placement);
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

  private void add(@Nullable JobSpec job, Placement placement) {
    add(job, placement, () -> books.add(placement));
  }

  private void add(@Nullable JobSpec job, Placement placement, Runnable take) {
    placed.requireNoneSuspended();
    placed.requireNotPlaced(placement.job());
    take.run();
    placed.add(job, placement);
    if (job != null) {
      loads.add(job, placement);
    }
    shared.regroup(placement, topology());
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
    shared.regroup(placement, topology());
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
    placed.requireNoneSuspended();
    placed.requireNotPlaced(placement.job());
    JobSpec sized = placement.sized(job);
    placed.add(sized, placement, arrival);
    Comparator<JobId> order = Comparator.comparingLong(placed::arrival);
    books.putBack(placement, order);
    loads.putBack(sized, placement, order);
    shared.regroup(placement, topology());
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
    shared.regroup(before, topology());
    shared.regroup(to, topology());
  }

  /**
   * Frees the amounts of some tasks of an exclusive job until {@link #takeBack}; the view shows the
   * job unchanged.
   */
  public void giveUp(Placement tasks) {
    books.giveBack(tasks);
    if (trials.remove(new Amounts(tasks, true)) == null) {
      trials.put(new Amounts(tasks, false), () -> takeBack(tasks));
    }
  }

  /**
   * Ends a {@link #giveUp} of the same object, or takes the amounts of some tasks until they are
   * given up.
   */
  public void takeBack(Placement tasks) {
    books.take(tasks);
    if (trials.remove(new Amounts(tasks, false)) == null) {
      trials.put(new Amounts(tasks, true), () -> giveUp(tasks));
    }
  }

  /**
   * Ends all trials ({@link #giveUp}, {@link #suspend}, {@link #suspendCapacity}, {@link
   * #applyTentatively}) that an exception has left open, the latest first.
   */
  public void endTrials() {
    List.copyOf(trials.reversed().values()).forEach(Runnable::run);
  }

  /**
   * Frees the capacity of a job until {@link #resume}, to see what would fit without it. The view
   * shows it neither as running nor as a resident; it keeps its position among both.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspend(JobId job) {
    PlacedJob leaving = placed.suspend(job);
    books.giveBack(leaving.held(topology()));
    stillSending.add(job);
    shared.regroup(leaving.placement(), topology());
    trials.put(job, () -> resume(job));
  }

  /**
   * Ends a {@link #suspend}: the job holds its capacity again.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resume(JobId job) {
    PlacedJob back = placed.resume(job);
    trials.remove(job);
    books.take(back.held(topology()));
    if (!stillSending.remove(job)) {
      placed.job(job).ifPresent(spec -> loads.add(spec, back.placement()));
    }
    shared.regroup(back.placement(), topology());
  }

  /**
   * Frees the capacity of a job as {@link #suspend} does, but keeps its traffic. {@link
   * #resumeCapacity} and {@link #withdraw} undo exactly, so that trials change no later answer.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspendCapacity(JobId job) {
    PlacedJob leaving = placed.suspend(job);
    books.giveBack(leaving.held(topology()));
    shared.regroup(leaving.placement(), topology());
    trials.put(job, () -> resumeCapacity(job));
  }

  /**
   * Ends a {@link #suspendCapacity}.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resumeCapacity(JobId job) {
    PlacedJob back = placed.resume(job);
    trials.remove(job);
    books.take(back.held(topology()));
    shared.regroup(back.placement(), topology());
  }

  /**
   * Places a job without its traffic, until {@link #withdraw}. It is the last of those running. A
   * job that is suspended may be placed elsewhere, and is shown there; it is not resumed meanwhile.
   *
   * @throws IllegalStateException if the job is placed so already, or the placement does not fit;
   *     nothing is then changed
   */
  public void applyTentatively(JobSpec job, Placement placement) {
    JobSpec sized = placement.sized(job);
    placed.addTentatively(sized, placement);
    boolean isDone = false;
    try {
      books.add(placement);
      isDone = true;
    } finally {
      if (!isDone) {
        placed.removeTentative(job.id());
      }
    }
    shared.regroup(placement, topology());
    trials.put(new Tentative(placement.job()), () -> withdraw(placement.job()));
  }

  /**
   * Ends an {@link #applyTentatively}.
   *
   * @throws IllegalStateException if the job is not placed so
   */
  public void withdraw(JobId job) {
    Placement placement = placed.removeTentative(job);
    trials.remove(new Tentative(job));
    books.remove(placement);
    shared.regroup(placement, topology());
  }

  /**
   * Changes the topology. Placements, traffic and the health of nodes and GPUs that stay are kept;
   * new nodes are up. One node more or less costs array copies of O(nodes + shared GPUs), other
   * changes O(nodes + tasks).
   *
   * @throws IllegalArgumentException if a job runs on a node that is gone, or a node that stays has
   *     changed
   * @throws IllegalStateException if a job is suspended
   */
  public void changeTopology(ClusterTopology changed) {
    placed.requireNoneSuspended();
    Optional<Splice> nodes =
        changed.levels().equals(topology().levels())
            ? Splice.between(topology().nodes(), changed.nodes())
            : Optional.empty();
    Optional<NodeSplice> splice = nodes.flatMap(one -> NodeSplice.of(index, changed, one));
    if (splice.isPresent()) {
      spliceTo(changed, splice.get());
    } else {
      rebuildAs(changed);
    }
  }

  private void spliceTo(ClusterTopology changed, NodeSplice splice) {
    Splice nodes = splice.nodes();
    if (nodes.removed() > 0 && books.isUsed(nodes.at())) {
      requireUnused(List.of(splice.node().id()));
    }
    loads = loads.in(loads.model().changedTo(changed), positionsBefore(changed));
    index = index.spliced(changed, splice);
    books = books.spliced(index, splice);
    shared = shared.spliced(splice.gpus());
  }

  private void rebuildAs(ClusterTopology changed) {
    int[] before = positionsBefore(changed);
    requireUnusedNodesGone(before);
    CapacityIndex rebuilt = new CapacityIndex(changed);
    rebuilt.takeOver(index, before);
    TaskBooks taken = TaskBooks.of(rebuilt);
    taken.takeOver(books, before);
    loads = loads.in(loads.model().changedTo(changed), before);
    index = rebuilt;
    books = taken;
    boolean wasShared = !shared.isUnused();
    shared = new SharedGpus();
    if (wasShared) {
      placed.placements().forEach(placement -> shared.regroup(placement, topology()));
    }
  }

  private void requireUnusedNodesGone(int[] before) {
    BitSet stays = new BitSet(topology().nodes().size());
    Arrays.stream(before).filter(position -> position >= 0).forEach(stays::set);
    Set<NodeId> gone = new LinkedHashSet<>();
    for (int position = stays.nextClearBit(0);
        position < topology().nodes().size();
        position = stays.nextClearBit(position + 1)) {
      gone.add(topology().nodes().get(position).id());
    }
    if (!gone.isEmpty()) {
      requireUnused(gone);
    }
  }

  private void requireUnused(Collection<NodeId> gone) {
    for (Placement placement : placed.placements()) {
      for (TaskPlacement task : placement.tasks()) {
        if (gone.contains(task.node())) {
          throw new IllegalArgumentException(
              "a node must be empty before it goes, but job '%s' runs on '%s'"
                  .formatted(placement.job(), task.node()));
        }
      }
    }
  }

  /**
   * Returns the old position of each node of a topology; -1 if it is new. Order mostly stays, so
   * each is looked for behind the last one first.
   */
  private int[] positionsBefore(ClusterTopology changed) {
    List<Node> nodes = topology().nodes();
    int[] before = new int[changed.nodes().size()];
    int expected = 0;
    for (int position = 0; position < before.length; position++) {
      Node node = changed.nodes().get(position);
      boolean isNext = expected < nodes.size() && nodes.get(expected).equals(node);
      before[position] = isNext ? expected : positionBefore(node);
      expected = before[position] < 0 ? expected : before[position] + 1;
    }
    return before;
  }

  private int positionBefore(Node node) {
    if (!topology().contains(node.id())) {
      return -1;
    }
    int before = position(node.id());
    if (!topology().nodes().get(before).equals(node)) {
      throw new IllegalArgumentException("a node that stays must not change, but " + node);
    }
    return before;
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
    return index.health(position(node));
  }

  @Override
  public boolean isLost(GpuId gpu) {
    return index.isLost(position(gpu), gpu.index());
  }

  @Override
  public int freeGpus(NodeId node) {
    int position = position(node);
    int free = 0;
    for (int gpu = 0; gpu < index.gpus(position); gpu++) {
      free += isFree(position, gpu) ? 1 : 0;
    }
    return free;
  }

  @Override
  public boolean isFree(GpuId gpu) {
    return isFree(position(gpu), gpu.index());
  }

  /** Returns true if one of these GPUs, by their positions in the cluster, is wholly free. */
  public boolean hasFree(BitSet gpus) {
    for (int gpu = gpus.nextSetBit(0); gpu >= 0; gpu = gpus.nextSetBit(gpu + 1)) {
      int node = index.nodeOfGpu(gpu);
      if (isFree(node, gpu - topology().gpusBefore(node))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public CpuCores freeCpu(NodeId node) {
    return new CpuCores(index.freeCpu(position(node)));
  }

  @Override
  public Memory freeMemory(NodeId node) {
    return new Memory(index.freeMemory(position(node)));
  }

  @Override
  public int freeShare(GpuId gpu) {
    return index.freeShare(position(gpu), gpu.index());
  }

  @Override
  public Memory freeGpuMemory(GpuId gpu) {
    return new Memory(index.freeGpuMemory(position(gpu), gpu.index()));
  }

  @Override
  public List<Resident> residents(GpuId gpu) {
    List<Resident> all = books.residents(position(gpu), gpu.index());
    return placed.isAnySuspended() ? shown(gpu, all) : all;
  }

  /** Returns the residents that are shown; of a task that is listed twice the last entry. */
  private List<Resident> shown(GpuId gpu, List<Resident> all) {
    return all.reversed().stream()
        .filter(resident -> placed.isShown(gpu, resident))
        .distinct()
        .toList()
        .reversed();
  }

  /** Returns true if no job that is shown is on the GPUs of a placement. */
  public boolean isAloneAt(Placement placement) {
    return placement.gpuIds().allMatch(gpu -> residents(gpu).isEmpty());
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

  /** Copies the health of all nodes and GPUs from a view of the same cluster; O(nodes). */
  public void copyHealth(ClusterView view) {
    for (int position = 0; position < view.topology().nodes().size(); position++) {
      copyHealth(view, view.topology().nodes().get(position).id(), position);
    }
  }

  private void copyHealth(ClusterView view, NodeId node, int position) {
    if (view.health(node) != NodeHealth.UP) {
      setHealth(node, view.health(node));
    }
    for (int gpu = 0; gpu < index.gpus(position); gpu++) {
      if (view.isLost(new GpuId(node, gpu))) {
        index.setLost(position, gpu, true);
      }
    }
  }
}
