package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Questions that tests ask of placements and states. */
final class Placements {

  private Placements() {}

  static Set<GpuModel> models(ClusterState state, Placement placement) {
    Set<GpuModel> models = new LinkedHashSet<>();
    for (TaskPlacement task : placement.tasks()) {
      task.gpus()
          .forEach(gpu -> models.add(state.topology().gpu(new GpuId(task.node(), gpu)).model()));
    }
    return models;
  }

  /** Returns everything that is free, node by node and GPU by GPU. */
  static List<Object> free(ClusterState state) {
    List<Object> free = new ArrayList<>();
    free.add(state.freeGpus());
    for (Node node : state.topology().nodes()) {
      free.add(state.freeGpus(node.id()));
      free.add(state.freeCpu(node.id()));
      free.add(state.freeMemory(node.id()));
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        GpuId id = new GpuId(node.id(), gpu);
        free.add(state.freeShare(id));
        free.add(state.freeGpuMemory(id));
        free.add(state.residents(id));
      }
    }
    return free;
  }
}
