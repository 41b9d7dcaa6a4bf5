package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.cost.CandidatePlacement;
import io.github.liquidscheduler.placement.cost.CandidatePlacement.NodeTasks;
import io.github.liquidscheduler.placement.cost.CostModel;
import io.github.liquidscheduler.scheduling.Placer;

/** Places jobs where their GPUs are paid least for; nodes say what a GPU costs in a label. */
public final class PayLeast implements CostModel {

  /** Returns the placer that asks this model. */
  public static Placer placer() {
    return Placers.leastCost(new PayLeast());
  }

  @Override
  public double cost(ClusterView view, CandidatePlacement candidate) {
    double sum = 0;
    for (NodeTasks node : candidate.nodes()) {
      String price = view.topology().node(node.node()).labels().getOrDefault("gpu-hour", "1.0");
      sum += candidate.gpusOn(node) * Double.parseDouble(price);
    }
    return sum;
  }
}
