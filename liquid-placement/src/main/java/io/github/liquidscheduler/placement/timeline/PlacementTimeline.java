package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/*
 * Idea: a window is placed as one instant: all that is held at some time in it is applied to the
 * idle cluster as one job of another name, resource by resource, and any Placer is asked. So a
 * placement fits at every instant, and every constraint and cost of the placer applies.
 * Invariants: idle is unchanged after a call; profiles never forget an open window; the answer is
 * safe but not exact, since different resources may peak at different times
 * (PlacementTimelineLaws).
 * Cost: a window O(tasks held) and one call of the placer; O(log steps) if too few whole GPUs are
 * free at its start; freedLast O(log releases) placements over all nodes.
 */
/**
 * The free capacity of a cluster over time, GPU by GPU, with shares, CPU and memory. Gangs are
 * placed by a {@link Placer}, with all their constraints. Nodes that are not up take no gang at any
 * time, and what jobs hold there blocks no one.
 */
public final class PlacementTimeline implements Timeline<JobSpec, Placement> {

  private static final JobId HELD = JobId.of("held");
  private static final JobId ALSO_HELD = JobId.of("also held");
  private static final long NEVER = Long.MIN_VALUE;

  private final ClusterState idle;
  private final Placer placer;
  private final FreeProfile wholeGpus;
  private final ReleaseTimes releases = new ReleaseTimes();
  private final SortedMap<Integer, NodeHoldings> nodes = new TreeMap<>();

  /** The windows in which nodes take no job, by their positions. */
  private final SortedMap<Integer, List<TimeWindow>> closed = new TreeMap<>();

  /**
   * Makes a timeline without holdings.
   *
   * @param idle the idle cluster; kept, and changed during a call only
   */
  public PlacementTimeline(ClusterState idle, Placer placer) {
    this.idle = Objects.requireNonNull(idle, "idle");
    this.placer = Objects.requireNonNull(placer, "placer");
    wholeGpus = new FreeProfile(idle.topology().gpuCount());
  }

  @Override
  public void advanceTo(long now) {
    wholeGpus.forgetBefore(now);
    nodes.values().forEach(node -> node.forgetBefore(now));
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
    for (TaskPlacement task : slot.placement().tasks()) {
      if (task.share().isWhole()) {
        wholeGpus.add(slot.window(), (long) sign * task.gpus().size());
      }
    }
  }

  private void addToNodes(Slot<Placement> slot, int sign) {
    for (TaskPlacement task : slot.placement().tasks()) {
      int position = idle.topology().position(task.node());
      nodes.computeIfAbsent(position, this::holdingsOf).add(task, slot.window(), sign);
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
    return without(others, () -> place(job, window));
  }

  /** Returns an answer while some nodes that are up take no job. */
  private <T> T without(List<NodeId> shut, Supplier<T> question) {
    shut.forEach(node -> idle.setHealth(node, NodeHealth.DRAINING));
    try {
      return question.get();
    } finally {
      shut.forEach(node -> idle.setHealth(node, NodeHealth.UP));
    }
  }

  private NodeHoldings holdingsOf(int position) {
    return new NodeHoldings(idle.topology().nodes().get(position));
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
    return during(
        slot.window(), NEVER, slot.placement().job(), state -> state.fits(slot.placement()));
  }

  @Override
  public Optional<Placement> place(JobSpec job, TimeWindow window) {
    return isShort(job, window.start())
        ? Optional.empty()
        : during(window, NEVER, job.id(), state -> placer.place(state, job));
  }

  /**
   * Returns a slot at the same time on GPUs that are released last, if the placer finds any, so
   * that GPUs free already are left to other jobs. O(log releases) placements.
   *
   * @param now GPUs free since then or before are left first
   */
  public Slot<Placement> freedLast(JobSpec job, Slot<Placement> found, long now) {
    List<Long> times = releases.between(now, found.window().start());
    Slot<Placement> last = found;
    int low = 0;
    int high = times.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      long since = times.get(middle);
      Optional<Placement> placement =
          during(found.window(), since, job.id(), state -> placer.place(state, job));
      if (placement.isPresent()) {
        last = new Slot<>(found.window(), placement.get());
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return last;
  }

  /** Returns true if too few whole GPUs are free for an exclusive job. */
  private boolean isShort(JobSpec job, long instant) {
    if (!(job.sharing() instanceof Sharing.Exclusive)) {
      return false;
    }
    long needed = 0;
    for (TaskRole role : job.roles()) {
      boolean isWhole = role.request().share().isEmpty();
      needed += isWhole ? (long) role.count() * role.request().gpus() : 0;
    }
    return needed > wholeGpus.at(instant);
  }

  /**
   * Returns an answer about the cluster with the least free amounts of each node in a window.
   *
   * @param since GPUs that are wholly free since an earlier instant count as held
   * @param asking the job that it is about, whose name may be any
   */
  private <T> T during(
      TimeWindow window, long since, JobId asking, Function<ClusterState, T> question) {
    JobId others = asking.equals(HELD) ? ALSO_HELD : HELD;
    return closed.isEmpty()
        ? open(window, since, others, question)
        : without(shut(window), () -> open(window, since, others, question));
  }

  private List<NodeId> shut(TimeWindow window) {
    return closed.entrySet().stream()
        .filter(node -> node.getValue().stream().anyMatch(window::overlaps))
        .map(node -> idle.topology().nodes().get(node.getKey()).id())
        .filter(node -> idle.health(node) == NodeHealth.UP)
        .toList();
  }

  private <T> T open(
      TimeWindow window, long since, JobId others, Function<ClusterState, T> question) {
    List<TaskPlacement> held = new ArrayList<>();
    if (since == NEVER) {
      nodes.forEach((position, node) -> addIfUp(position, node, window, since, held));
    } else {
      for (int position = 0; position < idle.topology().nodes().size(); position++) {
        addIfUp(position, nodes.getOrDefault(position, holdingsOf(position)), window, since, held);
      }
    }
    if (held.isEmpty()) {
      return question.apply(idle);
    }
    idle.apply(new Placement(others, held));
    try {
      return question.apply(idle);
    } finally {
      idle.release(others);
    }
  }

  private void addIfUp(
      int position,
      NodeHoldings holdings,
      TimeWindow window,
      long since,
      List<TaskPlacement> held) {
    Node node = idle.topology().nodes().get(position);
    if (idle.health(node.id()) == NodeHealth.UP) {
      IntPredicate isLost = gpu -> idle.isLost(new GpuId(node.id(), gpu));
      held.addAll(holdings.most(window, since, held.size(), isLost));
    }
  }
}
