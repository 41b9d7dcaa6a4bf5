package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CandidatePlacement;
import io.github.liquidscheduler.placement.cost.CandidatePlacement.NodeTasks;
import io.github.liquidscheduler.placement.cost.CostModel;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The cost by an embedder's model, which is asked for each candidate and knows no links. */
final class ModelledCost implements IncrementalCost {

  private final CostModel model;
  private final ClusterView view;
  private final JobSpec job;
  private final TaskCounts counts;
  private final TaskCounts one;

  ModelledCost(CostModel model, ClusterView view, JobSpec job) {
    this.model = model;
    this.view = view;
    this.job = job;
    counts = none();
    one = none();
  }

  private TaskCounts none() {
    return new TaskCounts(view.topology().nodes().size(), job.roles().size());
  }

  @Override
  public void add(int node, int role, int count) {
    counts.add(node, role, count);
  }

  @Override
  public void remove(int node, int role, int count) {
    counts.remove(node, role, count);
  }

  @Override
  public void clear() {
    counts.clear();
  }

  @Override
  public double cost() {
    return cost(counts);
  }

  private double cost(TaskCounts of) {
    double cost = model.cost(view, candidate(of));
    if (Double.isNaN(cost)) {
      throw new IllegalArgumentException(
          "a cost must be a number, but was %s, from cost model '%s' for job '%s'"
              .formatted(cost, model.name(), job.id()));
    }
    return cost;
  }

  private CandidatePlacement candidate(TaskCounts of) {
    List<NodeTasks> nodes = new ArrayList<>(of.size());
    for (int slot = 0; slot < of.size(); slot++) {
      List<Integer> tasks = new ArrayList<>(of.roles());
      for (int role = 0; role < of.roles(); role++) {
        tasks.add(of.tasks(slot, role));
      }
      nodes.add(new NodeTasks(view.topology().nodes().get(of.node(slot)).id(), tasks));
    }
    nodes.sort(Comparator.comparingInt(node -> view.topology().position(node.node())));
    return new CandidatePlacement(job, nodes);
  }

  @Override
  public double lowerBound() {
    return Double.NEGATIVE_INFINITY;
  }

  @Override
  public double uncontendedCost() {
    return Double.NEGATIVE_INFINITY;
  }

  @Override
  public boolean allowsOverfullNodes() {
    return false;
  }

  @Override
  public int links() {
    return counts.size();
  }

  @Override
  public void fixTrafficProfile() {
    // The model knows the traffic of the job.
  }

  @Override
  public double transferSeconds(int link) {
    return 0;
  }

  @Override
  public double costAt(double transferSeconds) {
    return Double.NEGATIVE_INFINITY;
  }

  /** Returns the cost of one task of the first role on a node. */
  @Override
  public double contention(int node) {
    one.clear();
    one.add(node, 0, 1);
    return cost(one);
  }

  @Override
  public int parentLink(int link) {
    return -1;
  }
}
