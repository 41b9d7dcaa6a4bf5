package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobId;
import java.util.Arrays;
import java.util.Map;

/*
 * Idea: a change of one node touches the links above it only, so that tasks are moved in the
 * footprint at once, and contention is settled on the touched links when the cost is asked. All
 * links are settled only when totals of tasks or nodes change, which scale the bytes of every link,
 * or where NVLink domains span nodes.
 * Invariants: the cost equals that of a candidate built afresh (NetworkLaws); one candidate at a
 * time uses the workspace, others are refused by requireCurrent.
 * Cost: a change O(levels x roles); cost O(links crossed x patterns), plus the jobs on each link
 * settled. No garbage once arrays have grown; measured in docs/performance.md.
 */
/** The physical cost of a candidate that changes node by node. */
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
    traffic.requireRolesOf(counts);
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

  /** Updates the contention: on the links touched, or on all if their bytes have changed. */
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
   * Notes the numbers of nodes and tasks of each role, on which the bytes of every link depend;
   * returns true if they have changed.
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

  /** Returns the seconds that the candidate adds to an iteration of each job. */
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
