package io.github.liquidscheduler.micrometer;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How many GPUs are in which state. Costs as much as there are nodes, not GPUs. */
final class GpuCensus {

  /** A GPU counts in one of them. */
  enum State {
    FREE,
    USED,
    DRAINING,
    LOST
  }

  private final Map<State, AtomicInteger> published = new EnumMap<>(State.class);

  /** GPUs that are lost by themselves; null before the first count. */
  private @Nullable Set<GpuId> lost;

  GpuCensus(Meters meters) {
    for (State state : State.values()) {
      AtomicInteger gpus = new AtomicInteger();
      published.put(state, gpus);
      String tag = state.name().toLowerCase(Locale.ROOT);
      meters.gauge(SchedulerMeter.GPUS, gpus, AtomicInteger::get, tag);
    }
  }

  void hear(ClusterEvent event) {
    if (lost == null) {
      return;
    }
    if (event instanceof ClusterEvent.GpuLost gone) {
      lost.add(gone.gpu());
    } else if (event instanceof ClusterEvent.GpuReturned back) {
      lost.remove(back.gpu());
    }
  }

  void count(ClusterView view) {
    Set<GpuId> gone = lost == null ? findLost(view) : lost;
    lost = gone;
    gone.removeIf(gpu -> !view.topology().contains(gpu) || !view.isLost(gpu));
    Map<NodeId, Integer> lostByNode = new HashMap<>();
    gone.forEach(gpu -> lostByNode.merge(gpu.node(), 1, Integer::sum));
    Map<State, Integer> counts = new EnumMap<>(State.class);
    for (Node node : view.topology().nodes()) {
      count(view, node, lostByNode.getOrDefault(node.id(), 0), counts);
    }
    published.forEach((state, gpus) -> gpus.set(counts.getOrDefault(state, 0)));
  }

  private static void count(ClusterView view, Node node, int lost, Map<State, Integer> counts) {
    int left = node.gpus().size() - lost;
    switch (view.health(node.id())) {
      case LOST -> add(State.LOST, node.gpus().size(), counts);
      case DRAINING -> {
        add(State.LOST, lost, counts);
        add(State.DRAINING, left, counts);
      }
      case UP -> {
        int free = view.freeGpus(node.id());
        add(State.LOST, lost, counts);
        add(State.FREE, free, counts);
        add(State.USED, left - free, counts);
      }
    }
  }

  private static void add(State state, int gpus, Map<State, Integer> counts) {
    counts.merge(state, gpus, Integer::sum);
  }

  private static Set<GpuId> findLost(ClusterView view) {
    Set<GpuId> found = new HashSet<>();
    for (Node node : view.topology().nodes()) {
      for (int i = 0; i < node.gpus().size(); i++) {
        GpuId gpu = new GpuId(node.id(), i);
        if (view.isLost(gpu)) {
          found.add(gpu);
        }
      }
    }
    return found;
  }
}
