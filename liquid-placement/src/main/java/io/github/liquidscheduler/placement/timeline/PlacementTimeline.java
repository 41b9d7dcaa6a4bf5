package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What is free of a cluster over time, GPU by GPU, with shares, CPU and memory. Gangs are placed by
 * a {@link Placer}, with all their constraints, on the cluster as if all that is held at some
 * instant of the window were held at once; so a placement has room at every instant.
 *
 * <p>A look at a window costs O(what is held), and a call of the placer; one at which too few GPUs
 * are free at the start of the window costs O(log steps). Nodes that are not up take no gang at any
 * time, and what jobs hold there is in nobody's way.
 */
public final class PlacementTimeline implements Timeline<JobSpec, Placement> {

  private static final JobId HELD = JobId.of("held");

  private final ClusterState idle;
  private final Placer placer;
  private final FreeProfile wholeGpus;
  private final ReleaseTimes releases = new ReleaseTimes();
  private final SortedMap<Integer, NodeHoldings> nodes = new TreeMap<>();

  /**
   * Makes a timeline on which nothing is held.
   *
   * @param idle the cluster with nothing running; kept, and changed for the time of a call only
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
    for (TaskPlacement task : slot.placement().tasks()) {
      int position = idle.topology().position(task.node());
      nodes.computeIfAbsent(position, this::holdingsOf).add(task, slot.window(), sign);
      if (task.share().isWhole()) {
        wholeGpus.add(slot.window(), (long) sign * task.gpus().size());
      }
    }
  }

  private NodeHoldings holdingsOf(int position) {
    return new NodeHoldings(idle.topology().nodes().get(position));
  }

  @Override
  public long nextRelease(long instant) {
    return releases.after(instant);
  }

  @Override
  public boolean fits(Slot<Placement> slot) {
    return during(slot.window(), state -> state.fits(slot.placement()));
  }

  @Override
  public Optional<Placement> place(JobSpec job, TimeWindow window) {
    return isShort(job, window.start())
        ? Optional.empty()
        : during(window, state -> placer.place(state, job));
  }

  /** Returns whether there are too few GPUs that nobody holds wholly, for a job that needs such. */
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

  /** Answers a question about the cluster as it is at the worst of each node during a window. */
  private <T> T during(TimeWindow window, Function<ClusterState, T> question) {
    List<TaskPlacement> held = new ArrayList<>();
    nodes.forEach((position, node) -> addIfUp(position, node, window, held));
    if (held.isEmpty()) {
      return question.apply(idle);
    }
    idle.apply(new Placement(HELD, held));
    try {
      return question.apply(idle);
    } finally {
      idle.release(HELD);
    }
  }

  private void addIfUp(
      int position, NodeHoldings holdings, TimeWindow window, List<TaskPlacement> held) {
    Node node = idle.topology().nodes().get(position);
    if (idle.health(node.id()) == NodeHealth.UP) {
      held.addAll(
          holdings.most(window, held.size(), gpu -> idle.isLost(new GpuId(node.id(), gpu))));
    }
  }
}
