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
import io.github.liquidscheduler.placement.network.Splice;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Who runs where and what is free, kept up to date placement by placement. Nothing can be
 * over-committed: a placement that does not fit is refused whole. Not thread-safe.
 */
public final class ClusterState implements ClusterView {

  private final PlacedJobs placed;
  private CapacityIndex index;
  private TaskBooks books;
  private LinkLoads loads;
  private SharedGpus shared;
  // Suspended, though what they send is among the loads until somebody asks for these.
  private final Set<JobId> stillSending = new LinkedHashSet<>();
  private Observations observations = Observations.NONE;
  private BiPredicate<NodeId, Dataset> copies = (node, dataset) -> false;

  private ClusterState(
      CapacityIndex index, PlacedJobs placed, TaskBooks books, LinkLoads loads, SharedGpus shared) {
    this.index = index;
    this.placed = placed;
    this.books = books;
    this.loads = loads;
    this.shared = shared;
  }

  /**
   * Returns the state of a cluster in which every node is up and nothing runs, whose network is
   * like others.
   */
  public static ClusterState of(ClusterTopology topology) {
    return of(topology, NetworkParameters.DEFAULT);
  }

  /** Returns the state of a cluster in which every node is up and nothing runs. */
  public static ClusterState of(ClusterTopology topology, NetworkParameters network) {
    CapacityIndex index = new CapacityIndex(topology);
    return new ClusterState(
        index,
        new PlacedJobs(),
        TaskBooks.of(index),
        LinkLoads.none(NetworkModel.of(topology, network)),
        new SharedGpus());
  }

  /**
   * Returns the state of another cluster, whose network is like this one's, in which every node is
   * up and nothing runs.
   */
  public ClusterState idle(ClusterTopology other) {
    return of(other, loads.model().parameters());
  }

  /** Returns the view itself if it is a state, else a state that shows the same; O(nodes). */
  public static ClusterState of(ClusterView view) {
    return view instanceof ClusterState state ? state : copyOf(view);
  }

  /** Returns a state that shows what {@code view} shows, free to be changed; O(nodes). */
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

  /** Returns a state equal to this one that goes its own way from here; O(nodes). */
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

  /** Returns which running job sends how much over which link. */
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
   * Gives a job what its placement says.
   *
   * @throws IllegalStateException if the job is placed already, a node or GPU is not up or does not
   *     have what the placement takes, or a job is suspended; nothing is then changed
   */
  public void apply(Placement placement) {
    add(null, placement);
  }

  /**
   * Gives a job what its placement says, counts what it sends, and lets others know whom they would
   * share a GPU with. The job has one size from then on.
   *
   * @throws IllegalArgumentException if it is not allowed to have the size that the placement has
   * @throws IllegalStateException as {@link #apply(Placement)} does
   */
  public void apply(JobSpec job, Placement placement) {
    add(placement.sized(job), placement);
  }

  /**
   * Returns whether {@link #apply(Placement)} would take the placement, if jobs that are suspended
   * had left for good.
   */
  public boolean fits(Placement placement) {
    return placement(placement.job()).isEmpty() && books.fits(placement);
  }

  private void add(@Nullable JobSpec job, Placement placement) {
    placed.requireNoneSuspended();
    placed.requireNotPlaced(placement.job());
    books.add(placement);
    placed.add(job, placement);
    if (job != null) {
      loads.add(job, placement);
    }
    shared.regroup(placement, topology());
  }

  /**
   * Takes back all that a job holds.
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
   * Gives a job another size. Tasks that stay on their GPUs keep what they have, whatever the
   * health of their nodes; the job comes last among those that run.
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
   * Frees for a while what some tasks of a job hold, which shares GPUs with nobody; it is shown as
   * before. Ended by {@link #takeBack}.
   */
  public void giveUp(Placement tasks) {
    books.giveBack(tasks);
  }

  /** Ends a {@link #giveUp}. */
  public void takeBack(Placement tasks) {
    books.take(tasks);
  }

  /**
   * Frees for a while what a job holds, to see what would fit without it. It is shown neither as
   * running nor as a resident, but keeps its position among both.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspend(JobId job) {
    PlacedJob leaving = placed.suspend(job);
    books.giveBack(leaving.held(topology()));
    stillSending.add(job);
    shared.regroup(leaving.placement(), topology());
  }

  /**
   * Ends a {@link #suspend}: the job holds again what it held.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resume(JobId job) {
    PlacedJob back = placed.resume(job);
    books.take(back.held(topology()));
    if (!stillSending.remove(job)) {
      placed.job(job).ifPresent(spec -> loads.add(spec, back.placement()));
    }
    shared.regroup(back.placement(), topology());
  }

  /**
   * Frees for a while what a job holds, as {@link #suspend} does, though what it sends still
   * counts. What was done since is undone exactly by {@link #resumeCapacity} and {@link #withdraw},
   * so that questions change no later answer.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspendCapacity(JobId job) {
    PlacedJob leaving = placed.suspend(job);
    books.giveBack(leaving.held(topology()));
    shared.regroup(leaving.placement(), topology());
  }

  /**
   * Ends a {@link #suspendCapacity}.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resumeCapacity(JobId job) {
    PlacedJob back = placed.resume(job);
    books.take(back.held(topology()));
    shared.regroup(back.placement(), topology());
  }

  /**
   * Gives a job what its placement says, as if it ran, though not what it sends, until {@link
   * #withdraw}; jobs may be suspended, but not resumed meanwhile.
   *
   * @throws IllegalStateException as {@link #apply(Placement)} does
   */
  public void applyTentatively(JobSpec job, Placement placement) {
    placed.requireNotPlaced(placement.job());
    books.add(placement);
    placed.add(placement.sized(job), placement);
    shared.regroup(placement, topology());
  }

  /**
   * Ends an {@link #applyTentatively}.
   *
   * @throws IllegalStateException if the job is not placed
   */
  public void withdraw(JobId job) {
    Placement placement = placed.remove(job);
    books.remove(placement);
    shared.regroup(placement, topology());
  }

  /**
   * Has the cluster be made of something else from now on. Who runs where, what they send, and the
   * health of nodes and GPUs that stay do not change; what is new is up. One node more or less
   * costs the moving of tables of O(nodes), and what is shared; other changes O(nodes + tasks).
   *
   * @throws IllegalArgumentException if a job runs on a node that is not there then, or a node that
   *     stays is another
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
    loads =
        changed.domains().equals(topology().domains())
            ? loads.in(loads.model().changedTo(changed, nodes), nodes)
            : loads.in(loads.model().changedTo(changed), positionsBefore(changed));
    index = index.spliced(changed, splice);
    books = books.spliced(index, splice);
    shared = shared.spliced(splice.gpus());
  }

  private void rebuildAs(ClusterTopology changed) {
    int[] before = positionsBefore(changed);
    requireRoomFor(before);
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

  private void requireRoomFor(int[] before) {
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
   * Returns for each node of a topology its position until now; -1 if it is new. Nodes mostly stand
   * in the order of before, so each is sought where the last one was found first.
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

  /** Sets the health of a node; what runs there is not touched. */
  public void setHealth(NodeId node, NodeHealth health) {
    index.setHealth(position(node), health);
  }

  /** Marks a GPU as lost; what runs there is not touched. */
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

  /** Returns whether one of these GPUs, by their positions in the cluster, is wholly free. */
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
    return placed.isAnySuspended()
        ? all.stream().filter(resident -> !placed.isSuspended(resident.job())).toList()
        : all;
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

  /** Sets what the reports of running jobs have taught so far. */
  public void observe(Observations observations) {
    this.observations = Objects.requireNonNull(observations, "observations");
  }

  @Override
  public boolean holds(NodeId node, Dataset dataset) {
    return copies.test(node, dataset);
  }

  /** Sets who knows which node has a copy of which data set; copies of this state ask it too. */
  public void knowCopies(BiPredicate<NodeId, Dataset> known) {
    copies = Objects.requireNonNull(known, "known");
  }

  /** Returns the GPUs that jobs hold shares of, by who is on them. */
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

  /** Has all nodes and GPUs be as healthy as in a view of the same cluster; O(nodes). */
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
