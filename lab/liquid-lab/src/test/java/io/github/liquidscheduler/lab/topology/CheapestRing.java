package io.github.liquidscheduler.lab.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PhysicalCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lowest physical cost of a gang that sums in a ring, over all sets of nodes that hold it: an
 * exhaustive search that leaves out only what cannot be cheaper.
 *
 * <p>A ring sends the same bytes over each link that it touches, however its tasks are divided. So
 * a set of nodes costs no less than a part of it, the remaining tasks being on a spare node below
 * one of its switches whose links never limit; that bound is what cuts the search. Two nodes have a
 * penalty of their own and are tried one by one.
 */
final class CheapestRing {

  private static final int SPARE_GPUS = 64;

  private final ClusterTopology withSpares;
  private final ClusterState state;
  private final Map<Integer, Integer> spareOf = new LinkedHashMap<>();
  private final int limit;
  private int looked;
  private double lowest;
  private int tasks;
  private int[] order = {};
  private int[] room = {};
  private @Nullable JobCost cost;
  private TaskCounts counts;

  /**
   * Makes a search.
   *
   * @param cluster the nodes to choose from, each in a domain
   * @param residents what runs there
   * @param limit the most sets to look at
   */
  CheapestRing(ClusterTopology cluster, Map<JobSpec, Placement> residents, int limit) {
    this.limit = limit;
    withSpares = withSpares(cluster);
    state = ClusterState.of(withSpares);
    residents.forEach(state::apply);
    for (int node = 0; node < cluster.nodes().size(); node++) {
      Node here = cluster.nodes().get(node);
      spareOf.put(position(here.id()), position(spare(here.domain().orElseThrow())));
    }
    counts = new TaskCounts(withSpares.nodes().size(), 1);
  }

  /** Returns the cluster with a node below each lowest switch whose links never limit. */
  private static ClusterTopology withSpares(ClusterTopology cluster) {
    List<Node> nodes = new ArrayList<>(cluster.nodes());
    cluster.nodes().stream()
        .map(node -> node.domain().orElseThrow())
        .distinct()
        .forEach(
            domain ->
                nodes.add(
                    Node.builder(spare(domain).value())
                        .domain(domain.value())
                        .gpus(SPARE_GPUS, GpuModel.of("A100"), Memory.ofGib(80))
                        .nic(Link.of(Bandwidth.UNLIMITED))
                        .nvlink(Bandwidth.UNLIMITED)
                        .build()));
    return cluster.withNodes(nodes);
  }

  private static NodeId spare(DomainId domain) {
    return NodeId.of("spare-" + domain.value());
  }

  private int position(NodeId node) {
    return withSpares.position(node);
  }

  /**
   * Returns the lowest cost, or a negative number if there were more sets to look at than allowed.
   *
   * @param job a gang of one role whose tasks sum in a ring
   * @param known what some place costs
   */
  double below(double known, JobSpec job) {
    cost = PhysicalCost.of(state.loads().model(), state.loads()).forJob(job);
    tasks = job.tasks();
    lowest = known;
    looked = 0;
    List<Integer> nodes = new ArrayList<>();
    room = new int[withSpares.nodes().size()];
    for (int node : spareOf.keySet()) {
      room[node] = state.freeGpus(withSpares.nodes().get(node).id()) / (job.gpus() / tasks);
      if (room[node] > 0) {
        nodes.add(node);
      }
    }
    nodes.sort(Comparator.comparingDouble(node -> bound(List.of(node))));
    order = nodes.stream().mapToInt(Integer::intValue).toArray();
    extend(new ArrayList<>(), 0, 0);
    return looked > limit ? -1 : lowest;
  }

  private void extend(List<Integer> chosen, int next, int roomSoFar) {
    for (int i = next; i < order.length && looked <= limit; i++) {
      looked++;
      chosen.add(order[i]);
      int roomNow = roomSoFar + room[order[i]];
      if (roomNow >= tasks) {
        if (chosen.size() <= tasks) {
          lowest = Math.min(lowest, price(chosen));
        }
      } else if (chosen.size() == 1 || bound(chosen) < lowest) {
        extend(chosen, i + 1, roomNow);
      }
      chosen.removeLast();
    }
  }

  /** Returns the cost of using exactly these nodes. */
  private double price(List<Integer> nodes) {
    counts.clear();
    int left = tasks - nodes.size();
    for (int node : nodes) {
      int here = 1 + Math.min(left, room[node] - 1);
      counts.add(node, 0, here);
      left -= here - 1;
    }
    return Objects.requireNonNull(cost).of(counts);
  }

  /** Returns a cost that no set with these nodes and more than one other is below. */
  private double bound(List<Integer> nodes) {
    if (tasks <= nodes.size()) {
      return 0;
    }
    counts.clear();
    nodes.forEach(node -> counts.add(node, 0, 1));
    counts.add(Objects.requireNonNull(spareOf.get(nodes.get(0))), 0, tasks - nodes.size());
    return Objects.requireNonNull(cost).of(counts);
  }
}
