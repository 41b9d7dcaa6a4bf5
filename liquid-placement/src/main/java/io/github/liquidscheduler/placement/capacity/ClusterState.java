package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who runs where and what is free, kept up to date placement by placement. Nothing can be
 * over-committed: a placement that does not fit is refused whole. Not thread-safe.
 */
public final class ClusterState implements ClusterView {

  private final Map<JobId, Placement> placements;
  private CapacityIndex index;
  private TaskBooks books;
  private LinkLoads loads;
  private final Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
  private final Set<JobId> suspended = new LinkedHashSet<>();
  private SharedGpus shared;
  private Observations observations = Observations.NONE;

  private ClusterState(
      CapacityIndex index,
      Map<JobId, Placement> placements,
      TaskBooks books,
      LinkLoads loads,
      SharedGpus shared) {
    this.index = index;
    this.placements = placements;
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
        new LinkedHashMap<>(),
        TaskBooks.of(index),
        LinkLoads.none(NetworkModel.of(topology, network)),
        new SharedGpus());
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
      view.placement(job).ifPresent(placement -> state.apply(view.job(job), placement));
    }
    for (int position = 0; position < view.topology().nodes().size(); position++) {
      state.copyHealth(view, view.topology().nodes().get(position).id(), position);
    }
    state.observe(view.observations());
    return state;
  }

  /** Returns a state equal to this one that goes its own way from here; O(nodes). */
  public ClusterState copy() {
    CapacityIndex copied = index.copy();
    ClusterState copy =
        new ClusterState(
            copied,
            new LinkedHashMap<>(placements),
            books.copy(copied),
            loads.copy(),
            shared.copy());
    copy.suspended.addAll(suspended);
    copy.jobs.putAll(jobs);
    copy.observations = observations;
    return copy;
  }

  /** Returns the index of free capacity behind this state. */
  public CapacityIndex index() {
    return index;
  }

  /** Returns which running job sends how much over which link. */
  public LinkLoads loads() {
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
    apply(Optional.empty(), placement);
  }

  /**
   * Gives a job what its placement says, counts what it sends, and lets others know whom they would
   * share a GPU with.
   *
   * @throws IllegalStateException as {@link #apply(Placement)} does
   */
  public void apply(JobSpec job, Placement placement) {
    apply(Optional.of(job), placement);
  }

  /**
   * Returns whether {@link #apply(Placement)} would take the placement, if jobs that are suspended
   * had left for good.
   */
  public boolean fits(Placement placement) {
    if (placement(placement.job()).isPresent()) {
      return false;
    }
    int done = 0;
    while (done < placement.tasks().size() && hasRoom(placement.tasks().get(done))) {
      books.take(placement.tasks().get(done++));
    }
    placement.tasks().subList(0, done).forEach(books::giveBack);
    return done == placement.tasks().size();
  }

  private void apply(Optional<JobSpec> job, Placement placement) {
    requireNoneSuspended();
    if (placements.containsKey(placement.job())) {
      throw new IllegalStateException("job '" + placement.job() + "' is placed already");
    }
    int done = 0;
    try {
      for (TaskPlacement task : placement.tasks()) {
        requireRoom(placement.job(), task);
        books.add(placement.job(), task);
        done++;
      }
    } finally {
      if (done < placement.tasks().size()) {
        placement.tasks().subList(0, done).forEach(task -> books.remove(placement.job(), task));
      }
    }
    placements.put(placement.job(), placement);
    placement.tasks().forEach(task -> index.tighten(position(task.node())));
    job.ifPresent(spec -> jobs.put(spec.id(), spec));
    job.filter(ClusterState::sends).ifPresent(sender -> addLoad(sender, placement));
    regroup(placement);
  }

  /**
   * Takes back all that a job holds.
   *
   * @throws IllegalStateException if the job is not placed, or a job is suspended
   */
  public void release(JobId job) {
    requireNoneSuspended();
    Placement placement = placements.remove(job);
    if (placement == null) {
      throw new IllegalStateException("job '" + job + "' is not placed");
    }
    placement.tasks().forEach(task -> books.remove(job, task));
    @Nullable JobSpec spec = jobs.remove(job);
    if (spec != null && sends(spec)) {
      loads.remove(job);
    }
    regroup(placement);
  }

  /**
   * Frees for a while what a job holds, to see what would fit without it. It is shown neither as
   * running nor as a resident, but keeps its position among both.
   *
   * @throws IllegalStateException if the job is not placed or is suspended already
   */
  public void suspend(JobId job) {
    Placement placement = placements.get(job);
    if (placement == null || !suspended.add(job)) {
      throw new IllegalStateException("job '" + job + "' is not placed, or is suspended already");
    }
    placement.tasks().forEach(books::giveBack);
    @Nullable JobSpec spec = jobs.get(job);
    if (spec != null && sends(spec)) {
      loads.remove(job);
    }
    regroup(placement);
  }

  /**
   * Ends a {@link #suspend}: the job holds again what it held.
   *
   * @throws IllegalStateException if the job is not suspended
   */
  public void resume(JobId job) {
    Placement placement = placements.get(job);
    if (placement == null || !suspended.remove(job)) {
      throw new IllegalStateException("job '" + job + "' is not suspended");
    }
    placement.tasks().forEach(books::take);
    Optional.ofNullable(jobs.get(job))
        .filter(ClusterState::sends)
        .ifPresent(sender -> addLoad(sender, placement));
    placement.tasks().forEach(task -> index.tighten(position(task.node())));
    regroup(placement);
  }

  /**
   * Has the cluster be made of something else from now on. Who runs where, what they send, and the
   * health of nodes and GPUs that stay do not change; O(nodes + tasks that run).
   *
   * @throws IllegalArgumentException if a job runs on a node that the topology does not have
   * @throws IllegalStateException if a job is suspended
   */
  public void changeTopology(ClusterTopology topology) {
    requireNoneSuspended();
    ClusterState changed = of(topology, loads.model().parameters());
    placements.forEach((job, placement) -> changed.apply(job(job), placement));
    for (int position = 0; position < topology.nodes().size(); position++) {
      NodeId node = topology.nodes().get(position).id();
      if (topology().contains(node)) {
        changed.copyHealth(this, node, position);
      }
    }
    index = changed.index;
    books = changed.books;
    loads = changed.loads;
    shared = changed.shared;
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
    return suspended.isEmpty()
        ? all
        : all.stream().filter(resident -> !suspended.contains(resident.job())).toList();
  }

  @Override
  public Bandwidth nicLoad(NodeId node) {
    return loads.nicLoad(node);
  }

  @Override
  public Bandwidth uplinkLoad(DomainId domain) {
    return loads.uplinkLoad(domain);
  }

  @Override
  public List<JobId> runningJobs() {
    return placements.keySet().stream().filter(job -> !suspended.contains(job)).toList();
  }

  @Override
  public Optional<Placement> placement(JobId job) {
    return suspended.contains(job) ? Optional.empty() : Optional.ofNullable(placements.get(job));
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return suspended.contains(job) ? Optional.empty() : Optional.ofNullable(jobs.get(job));
  }

  @Override
  public Observations observations() {
    return observations;
  }

  /** Sets what the reports of running jobs have taught so far. */
  public void observe(Observations observations) {
    this.observations = Objects.requireNonNull(observations, "observations");
  }

  /** Returns the GPUs that jobs hold shares of, by who is on them. */
  public SharedGpus shared() {
    return shared;
  }

  private static boolean sends(JobSpec job) {
    return !(job.communication() instanceof Communication.None);
  }

  /** Notes who is now on the GPUs that a placement has shares of. */
  private void regroup(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      if (!task.share().isWhole()) {
        for (int gpu : task.gpus()) {
          GpuId id = new GpuId(task.node(), gpu);
          shared.set(topology().gpusBefore(position(id)) + gpu, residentSet(id));
        }
      }
    }
  }

  /** Returns who is on a GPU, or null if nobody is or somebody is not known. */
  private @Nullable ResidentSet residentSet(GpuId gpu) {
    List<Resident> all = residents(gpu);
    List<CoRunnerKey> coRunnerKeys = new ArrayList<>(all.size());
    for (Resident resident : all) {
      @Nullable JobSpec job = jobs.get(resident.job());
      if (job != null) {
        coRunnerKeys.add(
            new CoRunnerKey(job.workload(), job.sharing(), resident.share(), resident.memory()));
      }
    }
    return all.isEmpty() || coRunnerKeys.size() < all.size()
        ? null
        : new ResidentSet(index.poolOf(position(gpu), gpu.index()), coRunnerKeys);
  }

  private void addLoad(JobSpec job, Placement placement) {
    loads.add(Traffic.of(job), TaskCounts.of(topology(), job, placement));
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

  private boolean hasRoom(TaskPlacement task) {
    return topology().contains(task.node()) && books.hasRoom(task);
  }

  private void requireRoom(JobId job, TaskPlacement task) {
    if (!books.hasRoom(task)) {
      throw new IllegalStateException(
          "a task must fit where it is placed, but %s with %s does not, for job '%s'"
              .formatted(task, task.request(), job));
    }
  }

  private void requireNoneSuspended() {
    if (!suspended.isEmpty()) {
      throw new IllegalStateException("nothing may change while jobs are suspended: " + suspended);
    }
  }
}
