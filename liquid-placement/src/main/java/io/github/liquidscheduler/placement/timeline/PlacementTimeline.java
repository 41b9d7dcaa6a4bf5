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
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a window is placed as one instant: all that is held at some time in it is applied to the
 * idle cluster as one job for each node, resource by resource, and any Placer is asked. So a
 * placement fits at every instant, and every constraint and cost of the placer applies. What is
 * applied stays for the next window, and is applied again only where it differs.
 * Invariants: what is applied on a node is what it holds in the windows alike; profiles never
 * forget an open window; the answer is safe but not exact, since different resources may peak at
 * different times (PlacementTimelineLaws).
 * Cost: a window O(nodes), O(tasks) for nodes that hold something else than in the window before,
 * and one call of the placer; O(log steps) if too few whole GPUs are free at its start; fits
 * O(nodes of the placement); freedLast O(log releases) placements over all nodes.
 */
/**
 * The free capacity of a cluster over time, GPU by GPU, with shares, CPU and memory. Gangs are
 * placed by a {@link Placer}, with all their constraints. Nodes that are not up take no gang at any
 * time, and what jobs hold there blocks no one.
 */
public final class PlacementTimeline implements Timeline<JobSpec, Placement> {

  private static final JobId LEFT = JobId.of("left");
  private static final JobId ALSO_LEFT = JobId.of("also left");
  private static final String HELD = "held ";
  private static final String ALSO_HELD = "also held ";

  private final ClusterState idle;
  private final Placer placer;
  private final FreeProfile wholeGpus;
  private final ReleaseTimes releases = new ReleaseTimes();
  private final SortedMap<Integer, Held> nodes = new TreeMap<>();
  private String names = HELD;
  private long now = Long.MIN_VALUE;

  /** The windows in which nodes take no job, by their positions. */
  private final SortedMap<Integer, List<TimeWindow>> closed = new TreeMap<>();

  /** The holdings of a node, and for which windows they are applied to the idle cluster. */
  private static final class Held {
    private final NodeHoldings holdings;
    private @Nullable JobId applied;
    private FreeProfile.@Nullable Alike windows;

    Held(Node node) {
      holdings = new NodeHoldings(node);
    }
  }

  /**
   * Makes a timeline without holdings.
   *
   * @param idle the idle cluster; kept, and changed
   */
  public PlacementTimeline(ClusterState idle, Placer placer) {
    this.idle = Objects.requireNonNull(idle, "idle");
    this.placer = Objects.requireNonNull(placer, "placer");
    wholeGpus = new FreeProfile(idle.topology().gpuCount());
  }

  @Override
  public void advanceTo(long now) {
    this.now = now;
    wholeGpus.forgetBefore(now);
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
      Held node = held(position);
      node.windows = null;
      node.holdings.add(task, slot.window(), sign, now);
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

  private Held held(int position) {
    return nodes.computeIfAbsent(position, each -> new Held(idle.topology().nodes().get(each)));
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
    SortedMap<Integer, Held> there = new TreeMap<>();
    for (NodeId node : slot.placement().nodes()) {
      int position = idle.topology().position(node);
      there.put(position, held(position));
    }
    return during(slot.window(), slot.placement().job(), there, () -> idle.fits(slot.placement()));
  }

  @Override
  public Optional<Placement> place(JobSpec job, TimeWindow window) {
    return isShort(job, window.start())
        ? Optional.empty()
        : during(window, job.id(), nodes, () -> placer.place(idle, job));
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
          during(found.window(), job.id(), nodes, () -> beside(left(found.window(), since), job));
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
   * Returns an answer about the idle cluster with the least free amounts of some nodes in a window.
   *
   * @param asking the job that it is about, whose name may be any
   */
  private <T> T during(
      TimeWindow window, JobId asking, SortedMap<Integer, Held> some, Supplier<T> question) {
    rename(asking.value().startsWith(HELD) ? ALSO_HELD : HELD);
    return closed.isEmpty()
        ? open(window, some, question)
        : without(shut(window), () -> open(window, some, question));
  }

  private void rename(String others) {
    if (!names.equals(others)) {
      nodes.values().forEach(this::giveBack);
      names = others;
    }
  }

  private List<NodeId> shut(TimeWindow window) {
    return closed.entrySet().stream()
        .filter(node -> node.getValue().stream().anyMatch(window::overlaps))
        .map(node -> idle.topology().nodes().get(node.getKey()).id())
        .filter(node -> idle.health(node) == NodeHealth.UP)
        .toList();
  }

  private <T> T open(TimeWindow window, SortedMap<Integer, Held> some, Supplier<T> question) {
    for (Map.Entry<Integer, Held> node : some.entrySet()) {
      Held held = node.getValue();
      if (held.windows == null || !held.windows.contains(window)) {
        apply(node.getKey(), held, window);
      }
    }
    return question.get();
  }

  private void apply(int position, Held held, TimeWindow window) {
    Node node = idle.topology().nodes().get(position);
    giveBack(held);
    if (idle.health(node.id()) == NodeHealth.UP) {
      List<TaskPlacement> tasks = held.holdings.most(window, isLost(node));
      held.windows = held.holdings.alike(window);
      if (!tasks.isEmpty()) {
        JobId name = JobId.of(names + node.id());
        idle.apply(new Placement(name, tasks));
        held.applied = name;
      }
    }
  }

  private void giveBack(Held held) {
    held.windows = null;
    if (held.applied != null) {
      idle.release(held.applied);
      held.applied = null;
    }
  }

  private IntPredicate isLost(Node node) {
    return gpu -> idle.isLost(new GpuId(node.id(), gpu));
  }

  /** Returns tasks on the GPUs that are wholly free in a window since before an instant. */
  private List<TaskPlacement> left(TimeWindow window, long since) {
    List<TaskPlacement> left = new ArrayList<>();
    for (int position = 0; position < idle.topology().nodes().size(); position++) {
      Node node = idle.topology().nodes().get(position);
      if (idle.health(node.id()) == NodeHealth.UP) {
        @Nullable Held known = nodes.get(position);
        List<Integer> gpus =
            (known == null ? new NodeHoldings(node) : known.holdings)
                .freeSinceBefore(window, since, isLost(node));
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

  /** Returns a placement beside other tasks. */
  private Optional<Placement> beside(List<TaskPlacement> others, JobSpec job) {
    if (others.isEmpty()) {
      return placer.place(idle, job);
    }
    JobId name = job.id().equals(LEFT) ? ALSO_LEFT : LEFT;
    idle.apply(new Placement(name, others));
    try {
      return placer.place(idle, job);
    } finally {
      idle.release(name);
    }
  }
}
