package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobId;
import java.util.Arrays;
import java.util.Map;

/**
 * The physical cost of a candidate that changes node by node. A change costs O(levels) and the jobs
 * on the links whose bytes it changes; asking for the cost O(links crossed) besides.
 */
final class IncrementalSeconds implements IncrementalCost {

  private final Workspace workspace;
  private final NetworkModel model;
  private final LinkLoads loads;
  private final TrafficFootprint footprint;
  private final Traffic traffic;
  private boolean isAlone;
  private int touchedSize;
  private final int[] tasksBefore;
  private int nodesBefore;
  private double compute;

  IncrementalSeconds(Workspace workspace, Traffic traffic) {
    this.workspace = workspace;
    this.traffic = traffic;
    model = workspace.model;
    loads = workspace.loads;
    footprint = model.footprint();
    tasksBefore = new int[traffic.roles()];
    enter();
  }

  private void enter() {
    workspace.enter(this, traffic);
    isAlone = loads.isEmpty();
    touchedSize = 0;
    nodesBefore = 0;
  }

  /** Starts over with these counts. */
  void become(TaskCounts counts) {
    enter();
    if (counts.roles() != traffic.roles()) {
      throw new IllegalArgumentException(
          "counts must be of the %d roles of job '%s', but were of %d"
              .formatted(traffic.roles(), traffic.job(), counts.roles()));
    }
    for (int slot = 0; slot < counts.size(); slot++) {
      for (int role = 0; role < counts.roles(); role++) {
        if (counts.tasks(slot, role) > 0) {
          add(counts.node(slot), role, counts.tasks(slot, role));
        }
      }
    }
  }

  @Override
  public void add(int node, int role, int count) {
    workspace.requireCurrent(this);
    footprint.change(node, role, count);
    touch(node);
  }

  @Override
  public void remove(int node, int role, int count) {
    workspace.requireCurrent(this);
    footprint.change(node, role, -count);
    touch(node);
  }

  private void touch(int node) {
    for (int at = node; !isAlone && at >= 0; at = model.links().parent(at)) {
      if (loads.jobsHere(at) > 0) {
        if (touchedSize == workspace.touched.length) {
          workspace.touched = Arrays.copyOf(workspace.touched, 2 * touchedSize);
        }
        workspace.touched[touchedSize++] = at;
      }
    }
  }

  @Override
  public void clear() {
    workspace.requireCurrent(this);
    enter();
  }

  @Override
  public double cost() {
    workspace.requireCurrent(this);
    settle();
    double own = model.parameters().exposedSeconds(compute, model.seconds(traffic, loads));
    return isAlone ? own : own + workspace.contention.seconds();
  }

  @Override
  public double lowerBound() {
    return 0;
  }

  @Override
  public double uncontendedCost() {
    workspace.requireCurrent(this);
    return model.links().isUniform()
        ? model
            .parameters()
            .exposedSeconds(model.computeSeconds(traffic), model.seconds(traffic, null))
        : Double.NEGATIVE_INFINITY;
  }

  @Override
  public boolean allowsOverfullNodes() {
    return true;
  }

  @Override
  public int links() {
    return footprint.size();
  }

  /**
   * Brings the contention up to date: on the links touched, or on all if what they send has
   * changed.
   */
  private void settle() {
    if (hasOtherTotals() || model.links().hasFabricDomains()) {
      compute = model.computeSeconds(traffic);
      for (int part = 0; !isAlone && part < footprint.size(); part++) {
        settle(footprint.link(part));
      }
    }
    for (int i = 0; i < touchedSize; i++) {
      settle(workspace.touched[i]);
    }
    touchedSize = 0;
  }

  /**
   * Notes how many nodes and tasks of each role there are, on which what is sent over any link
   * depends, and returns whether that has changed.
   */
  private boolean hasOtherTotals() {
    boolean hasChanged = footprint.nodes() != nodesBefore;
    nodesBefore = footprint.nodes();
    for (int role = 0; role < tasksBefore.length; role++) {
      hasChanged |= footprint.tasksOf(role) != tasksBefore[role];
      tasksBefore[role] = footprint.tasksOf(role);
    }
    return hasChanged;
  }

  private void settle(int link) {
    if (loads.jobsHere(link) > 0) {
      int part = footprint.partOf(link);
      double bytes = part < 0 ? 0 : model.bytes(traffic, part);
      workspace.contention.set(link, bytes == 0 ? 0 : loads.slower(link, bytes, compute));
    }
  }

  /** Returns by how many seconds the candidate makes an iteration of each job longer. */
  Map<JobId, Double> contentionByJob() {
    settle();
    return workspace.contention.byJob();
  }

  @Override
  public void fixTrafficProfile() {
    workspace.requireCurrent(this);
    settle();
    double[] bytes = workspace.bytesOfLevel;
    Arrays.fill(bytes, 0);
    for (int part = 0; part < footprint.size(); part++) {
      int level = model.links().level(footprint.link(part));
      bytes[level] = Math.max(bytes[level], model.bytes(traffic, part));
    }
    for (int level = bytes.length - 2; level >= 0; level--) {
      bytes[level] = bytes[level] == 0 ? bytes[level + 1] : bytes[level];
    }
  }

  @Override
  public double transferSeconds(int link) {
    return bytes(link) / loads.left(link);
  }

  @Override
  public double costAt(double transferSeconds) {
    return model.parameters().exposedSeconds(compute, transferSeconds);
  }

  @Override
  public double contention(int link) {
    return loads.jobsHere(link) == 0
        ? 0
        : workspace.contention.seconds(link, loads.slower(link, bytes(link), compute));
  }

  @Override
  public int parentLink(int link) {
    return model.links().parent(link);
  }

  private double bytes(int link) {
    return workspace.bytesOfLevel[model.links().level(link)];
  }
}
