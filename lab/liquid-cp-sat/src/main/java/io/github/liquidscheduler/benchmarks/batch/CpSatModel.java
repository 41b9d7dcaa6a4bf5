package io.github.liquidscheduler.benchmarks.batch;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.planning.BatchPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An instance as a constraint programme whose optimum is that of the plans. For each job and node
 * (and rack) it is chosen how many tasks are there, one literal for each number, so that squares of
 * such numbers are linear; the same is done for the total intensity of each node. A plan is given
 * as a hint to start from.
 *
 * <p>Twice the cost is minimised, to stay with whole numbers: for each node S² - sum (i t)² + 2 R
 * S, for each job w (T² - sum t²) + 2 w (T² - sum r²), with t tasks on a node and r on a rack.
 */
final class CpSatModel {

  private static final int HIGHEST_INTENSITY = 4;

  private final CpModel model = new CpModel();
  private final LinearExprBuilder twice = LinearExpr.newBuilder();
  private final Instance instance;
  private final int nodes;
  private final int nodesPerRack;
  private final int[] free;
  private final long[] resident;
  private final List<LinearExprBuilder> gpus = new ArrayList<>();
  private final List<LinearExprBuilder> intensity = new ArrayList<>();
  private final Map<JobId, Placement> hint = new LinkedHashMap<>();
  private final long[] hintedIntensity;

  /** Makes the model, with the starts of a plan as a hint. */
  CpSatModel(Instance instance, int nodesPerRack, BatchPlan hint) {
    this.instance = instance;
    hint.starts().forEach(start -> this.hint.put(start.job(), start));
    this.nodesPerRack = nodesPerRack;
    nodes = instance.cluster().nodes().size();
    free = new int[nodes];
    resident = new long[nodes];
    hintedIntensity = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      free[node] = InstanceGenerator.GPUS;
      gpus.add(LinearExpr.newBuilder());
      intensity.add(LinearExpr.newBuilder());
    }
    countRunning();
    instance.pending().forEach(this::add);
    for (int node = 0; node < nodes; node++) {
      close(node);
    }
    model.minimize(twice);
  }

  CpModel model() {
    return model;
  }

  private void countRunning() {
    for (int i = 0; i < instance.running().size(); i++) {
      for (TaskPlacement task : instance.placements().get(i).tasks()) {
        int node = position(task.node());
        free[node] -= task.gpus().size();
        resident[node] += Instance.intensity(instance.running().get(i));
      }
    }
  }

  private int position(NodeId node) {
    return instance.cluster().position(node);
  }

  private void add(JobSpec job) {
    TaskRole role = job.roles().get(0);
    long tasks = role.count();
    long traffic = Instance.traffic(job);
    LinearExprBuilder all = LinearExpr.newBuilder();
    twice.add(3 * traffic * tasks * tasks);
    int[] hinted = hinted(job);
    LinearExprBuilder onRack = LinearExpr.newBuilder();
    int room = 0;
    int hintedOnRack = 0;
    for (int node = 0; node < nodes; node++) {
      int most = Math.min(role.count(), free[node] / role.request().gpus());
      room += most;
      hintedOnRack += hinted[node];
      addNumbers(job, node, most, hinted[node], all, onRack);
      if ((node + 1) % nodesPerRack == 0 || node + 1 == nodes) {
        addRack(traffic, Math.min(role.count(), room), hintedOnRack, onRack);
        onRack = LinearExpr.newBuilder();
        room = 0;
        hintedOnRack = 0;
      }
    }
    model.addEquality(all, tasks);
  }

  /** Returns how many tasks of a job the hint has on each node. */
  private int[] hinted(JobSpec job) {
    int[] tasks = new int[nodes];
    Placement start = hint.get(job.id());
    if (start != null) {
      for (TaskPlacement task : start.tasks()) {
        int node = position(task.node());
        tasks[node]++;
        hintedIntensity[node] += Instance.intensity(job);
      }
    }
    return tasks;
  }

  private void addNumbers(
      JobSpec job,
      int node,
      int most,
      int hinted,
      LinearExprBuilder all,
      LinearExprBuilder onRack) {
    long own = Instance.intensity(job);
    long traffic = Instance.traffic(job);
    int each = job.roles().get(0).request().gpus();
    List<Literal> numbers = new ArrayList<>();
    for (int tasks = 1; tasks <= most; tasks++) {
      BoolVar isThat = hintedVariable(tasks == hinted);
      numbers.add(isThat);
      all.addTerm(isThat, tasks);
      onRack.addTerm(isThat, tasks);
      gpus.get(node).addTerm(isThat, (long) tasks * each);
      intensity.get(node).addTerm(isThat, tasks * own);
      twice.addTerm(isThat, -(own * own + traffic) * tasks * tasks);
    }
    if (numbers.size() > 1) {
      model.addAtMostOne(numbers);
    }
  }

  private void addRack(long traffic, int most, int hinted, LinearExprBuilder tasks) {
    List<Literal> numbers = new ArrayList<>();
    LinearExprBuilder number = LinearExpr.newBuilder();
    for (int count = 1; count <= most; count++) {
      BoolVar isThat = hintedVariable(count == hinted);
      numbers.add(isThat);
      number.addTerm(isThat, count);
      twice.addTerm(isThat, -2 * traffic * count * count);
    }
    model.addEquality(tasks, number);
    if (numbers.size() > 1) {
      model.addAtMostOne(numbers);
    }
  }

  private BoolVar hintedVariable(boolean value) {
    BoolVar variable = model.newBoolVar("");
    model.addHint(variable, value ? 1 : 0);
    return variable;
  }

  /** Chooses the total intensity of a node, one literal for each, so that its square is linear. */
  private void close(int node) {
    model.addLessOrEqual(gpus.get(node), free[node]);
    int highest = HIGHEST_INTENSITY * free[node];
    List<Literal> totals = new ArrayList<>();
    LinearExprBuilder total = LinearExpr.newBuilder();
    for (int value = 0; value <= highest; value++) {
      BoolVar isThat = hintedVariable(value == hintedIntensity[node]);
      totals.add(isThat);
      total.addTerm(isThat, value);
      twice.addTerm(isThat, (long) value * value + 2 * resident[node] * value);
    }
    model.addExactlyOne(totals);
    model.addEquality(total, intensity.get(node));
  }
}
