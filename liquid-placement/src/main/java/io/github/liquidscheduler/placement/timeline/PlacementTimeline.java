package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a window is placed as one instant: all that is held at some time in it is applied to the
 * idle cluster, resource by resource, and any Placer is asked. So a placement fits at every instant,
 * and every constraint and cost of the placer applies. Windows that begin now and later ones have a
 * cluster each, so that what is applied seldom changes.
 * Invariants: profiles never forget an open window; the answer is safe but not exact, since
 * different resources may peak at different times (PlacementTimelineLaws).
 * Cost: one call of the placer, and what differs from the window before (HeldCluster); O(steps) if
 * too few whole GPUs are free (FreeTasks); fits O(nodes of the placement); freedLast O(log releases)
 * placements over all nodes.
 */
/**
 * The free capacity of a cluster over time, GPU by GPU, with shares, CPU and memory. Gangs are
 * placed by a {@link Placer}, with all their constraints. Nodes that are not up take no gang at any
 * time, and what jobs hold there blocks no one.
 */
public final class PlacementTimeline implements Timeline<JobSpec, Placement> {

  private static final JobId LEFT = JobId.of("left");
  private static final JobId ALSO_LEFT = JobId.of("also left");
  private static final int MOST_LOOSENED = 1000;

  private final ClusterState idle;
  private final Placer placer;
  private final FreeTasks free;
  private final ReleaseTimes releases = new ReleaseTimes();
  private final List<NodeHoldings> nodes;
  private final HeldCluster beginningNow;
  private @Nullable HeldCluster beginningLater;
  private long now = Long.MIN_VALUE;

  // The nodes of the last slots that were loosened, and how many there were before.
  private final List<Set<NodeId>> loosened = new ArrayList<>();
  private long loosenings;

  /** The windows in which nodes take no job, by their positions. */
  private final SortedMap<Integer, List<TimeWindow>> closed = new TreeMap<>();

  /**
   * Makes a timeline without holdings.
   *
   * @param idle the idle cluster, whose health stays; kept, and changed
   */
  public PlacementTimeline(ClusterState idle, Placer placer) {
    this.idle = Objects.requireNonNull(idle, "idle");
    this.placer = Objects.requireNonNull(placer, "placer");
    free = new FreeTasks(idle.topology());
    nodes = idle.topology().nodes().stream().map(NodeHoldings::new).toList();
    beginningNow = new HeldCluster(idle, nodes);
  }

  @Override
  public void advanceTo(long now) {
    this.now = now;
    free.advanceTo(now);
  }

  @Override
  public void hold(Slot<Placement> slot) {
    add(slot, -1);
    releases.add(slot.window());
  }

  @Override
  public void release(Slot<Placement> slot) {
    add(slot, 1);
    releases.remove(slot.window());
  }

  private void add(Slot<Placement> slot, int sign) {
    addToNodes(slot, sign);
    free.add(slot.placement(), slot.window(), sign);
  }

  private void addToNodes(Slot<Placement> slot, int sign) {
    for (TaskPlacement task : slot.placement().tasks()) {
      int position = idle.topology().position(task.node());
      nodes.get(position).add(task, slot.window(), sign, now);
      beginningNow.changed(position);
      if (beginningLater != null) {
        beginningLater.changed(position);
      }
    }
  }

  /** Reserves capacity for jobs that hold it, or parts of it, themselves once they run. */
  public void keep(Slot<Placement> slot) {
    addToNodes(slot, -1);
    releases.add(slot.window());
  }

  /** Ends a {@link #keep}, of the very same placement and window. */
  public void giveUp(Slot<Placement> slot) {
    addToNodes(slot, 1);
    releases.remove(slot.window());
  }

  /** Closes a node to new jobs during a window. Jobs there stay. */
  public void close(NodeId node, TimeWindow window) {
    closed
        .computeIfAbsent(idle.topology().position(node), position -> new ArrayList<>())
        .add(window);
    releases.add(window);
  }

  /** Ends a {@link #close}, of the very same node and window. */
  public void reopen(NodeId node, TimeWindow window) {
    int position = idle.topology().position(node);
    List<TimeWindow> windows = Objects.requireNonNull(closed.get(position), node::value);
    windows.remove(window);
    if (windows.isEmpty()) {
      closed.remove(position);
    }
    releases.remove(window);
  }

  /** Returns true if a node is up, and takes jobs at every instant of a window. */
  public boolean isOpen(NodeId node, TimeWindow window) {
    return idle.health(node) == NodeHealth.UP
        && closed.getOrDefault(idle.topology().position(node), List.of()).stream()
            .noneMatch(window::overlaps);
  }

  /** Returns a placement of a gang on some nodes during a whole window, beside the holdings. */
  public Optional<Placement> placeOn(Set<NodeId> allowed, JobSpec job, TimeWindow window) {
    List<NodeId> others =
        idle.topology().nodes().stream()
            .map(Node::id)
            .filter(node -> !allowed.contains(node) && idle.health(node) == NodeHealth.UP)
            .toList();
    return place(job, window, others);
  }

  /** Returns an answer while some nodes that are up take no job. */
  private static <T> T without(ClusterState cluster, List<NodeId> shut, Supplier<T> question) {
    shut.forEach(node -> cluster.setHealth(node, NodeHealth.DRAINING));
    try {
      return question.get();
    } finally {
      shut.forEach(node -> cluster.setHealth(node, NodeHealth.UP));
    }
  }

  @Override
  public long nextRelease(long instant) {
    return releases.after(instant);
  }

  /** Returns the release times after an instant, up to another one, in order. */
  public List<Long> releases(long after, long last) {
    return after < last ? releases.between(after, last) : List.of();
  }

  @Override
  public boolean fits(Slot<Placement> slot) {
    Placement placement = slot.placement();
    ClusterState cluster =
        at(slot.window()).during(slot.window(), placement.job(), placement.nodes());
    return without(cluster, shut(slot.window()), () -> cluster.fits(placement));
  }

  @Override
  public Optional<Placement> place(JobSpec job, TimeWindow window) {
    return place(job, window, List.of());
  }

  private Optional<Placement> place(JobSpec job, TimeWindow window, List<NodeId> alsoShut) {
    if (free.areFewFor(job, window.start()) || isShort(job, window)) {
      return Optional.empty();
    }
    ClusterState cluster = at(window).during(window, job.id());
    return without(
        cluster,
        Stream.concat(shut(window).stream(), alsoShut.stream()).distinct().toList(),
        () -> placer.place(cluster, job));
  }

  /** Returns true if a gang is known to find too few GPUs in a window. */
  public boolean isShort(JobSpec job, TimeWindow window) {
    return soonest(job, window.end() - window.start(), window.start()) > window.start();
  }

  @Override
  public long soonest(JobSpec job, long length, long from) {
    return from == TimeWindow.FOREVER ? from : free.soonest(job, length, from);
  }

  @Override
  public void loosened(Slot<Placement> slot) {
    if (loosened.size() >= MOST_LOOSENED) {
      loosenings += loosened.size();
      loosened.clear();
    }
    loosened.add(slot.placement().nodes());
  }

  @Override
  public long loosenings() {
    return loosenings + loosened.size();
  }

  @Override
  public boolean mayBeEarlier(
      JobSpec job, long length, long from, Slot<Placement> own, long since) {
    if (since < loosenings || !placer.isCapacityBound()) {
      return true;
    }
    Set<NodeId> there = own.placement().nodes();
    long latest = own.window().start() - 1;
    return loosened.subList((int) (since - loosenings), loosened.size()).stream()
        .flatMap(Set::stream)
        .distinct()
        .anyMatch(
            node ->
                there.contains(node)
                    || free.mayHoldAny(job, idle.topology().position(node), length, from, latest));
  }

  /** Returns the cluster for a window. */
  private HeldCluster at(TimeWindow window) {
    if (window.start() <= now) {
      return beginningNow;
    }
    @Nullable HeldCluster later = beginningLater;
    if (later == null) {
      ClusterState other = idle.idle();
      other.copyHealth(idle);
      later = new HeldCluster(other, nodes);
      beginningLater = later;
    }
    return later;
  }

  /**
   * Returns a slot at the same time on GPUs that are released last, if the placer finds any, so
   * that GPUs free already are left to other jobs. O(log releases) placements.
   *
   * @param now GPUs free since then or before are left first
   */
  public Slot<Placement> freedLast(JobSpec job, Slot<Placement> found, long now) {
    TimeWindow window = found.window();
    List<Long> times = releases.between(now, window.start());
    Slot<Placement> last = found;
    int low = 0;
    int high = times.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      long since = times.get(middle);
      ClusterState cluster = at(window).during(window, job.id());
      Optional<Placement> placement =
          without(cluster, shut(window), () -> beside(cluster, left(cluster, window, since), job));
      if (placement.isPresent()) {
        last = new Slot<>(window, placement.get());
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return last;
  }

  private List<NodeId> shut(TimeWindow window) {
    return closed.entrySet().stream()
        .filter(node -> node.getValue().stream().anyMatch(window::overlaps))
        .map(node -> idle.topology().nodes().get(node.getKey()).id())
        .filter(node -> idle.health(node) == NodeHealth.UP)
        .toList();
  }

  /** Returns tasks on the GPUs that are wholly free in a window since before an instant. */
  private List<TaskPlacement> left(ClusterState cluster, TimeWindow window, long since) {
    List<TaskPlacement> left = new ArrayList<>();
    for (int position = 0; position < idle.topology().nodes().size(); position++) {
      Node node = idle.topology().nodes().get(position);
      if (cluster.health(node.id()) == NodeHealth.UP) {
        List<Integer> gpus = nodes.get(position).freeSinceBefore(window, since, isLost(node));
        if (!gpus.isEmpty()) {
          left.add(
              new TaskPlacement(
                  new TaskId("left", left.size()),
                  node.id(),
                  gpus,
                  ResourceRequest.ofGpus(gpus.size())));
        }
      }
    }
    return left;
  }

  private IntPredicate isLost(Node node) {
    return gpu -> idle.isLost(new GpuId(node.id(), gpu));
  }

  /** Returns a placement beside other tasks. */
  private Optional<Placement> beside(
      ClusterState cluster, List<TaskPlacement> others, JobSpec job) {
    if (others.isEmpty()) {
      return placer.place(cluster, job);
    }
    JobId name = job.id().equals(LEFT) ? ALSO_LEFT : LEFT;
    cluster.apply(new Placement(name, others));
    try {
      return placer.place(cluster, job);
    } finally {
      cluster.release(name);
    }
  }
}
