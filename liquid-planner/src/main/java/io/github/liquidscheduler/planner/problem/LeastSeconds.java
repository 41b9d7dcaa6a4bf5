package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PhysicalCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Seconds that the traffic of a gang costs at least, wherever it is placed and whatever the
 * contention: those of the cheapest way to split its tasks over as many nodes as have free GPUs,
 * all with the most free GPUs and the fastest links there are, and all of them in one NVLink domain
 * without limits if there is any that spans nodes. More bandwidth never makes a placement cost
 * more, and contention never makes it cost less.
 *
 * <p>All splits are tried. Where there are too many, sums over all GPUs are still bounded: what
 * they send over a network card depends on the number of nodes alone, and inside a node least on
 * the busiest, so that only even splits count. Of anything else nothing is known but 0.
 */
public final class LeastSeconds {

  private static final int MOST_SPLITS = 2_000;
  private static final int MOST_NODES = 512;
  private static final String ALL = "all";

  private static final Comparator<Bandwidth> FASTER =
      Comparator.comparingLong(rate -> rate.isUnlimited() ? Long.MAX_VALUE : rate.bytesPerSecond());

  private final PhysicalCost cost;
  private final int nodes;
  private final int gpusOfNode;
  private final Map<Shape, Double> known = new LinkedHashMap<>();

  LeastSeconds(SlotTable slotTable, NetworkParameters parameters, int mostTasks) {
    int[] free = freeOfNodes(slotTable);
    int usable = (int) Arrays.stream(free).filter(gpus -> gpus > 0).count();
    nodes = Math.max(1, Math.min(Math.min(usable, MOST_NODES), mostTasks));
    gpusOfNode = Arrays.stream(free).max().orElse(0);
    NetworkModel model = NetworkModel.of(ideal(slotTable.topology), parameters);
    cost = PhysicalCost.of(model, LinkLoads.none(model));
  }

  /** Returns the bound for a gang. */
  double of(JobSpec job) {
    return known.computeIfAbsent(new Shape(job.roles(), job.communication()), any -> find(job));
  }

  private double find(JobSpec job) {
    boolean mayUseOtherNodes =
        job.roles().stream().anyMatch(role -> role.request().gpus() == 0)
            || (nodes == MOST_NODES && job.tasks() > MOST_NODES);
    if (mayUseOtherNodes) {
      return 0;
    }
    Splits splits = new Splits(job, cost.forJob(job));
    double least = splits.least();
    if (splits.areAllTried()) {
      return least;
    }
    return job.roles().size() == 1 && job.communication() instanceof Communication.AllReduce
        ? splits.leastEven()
        : 0;
  }

  private static int[] freeOfNodes(SlotTable slotTable) {
    int[] free = new int[slotTable.firstOfNode.length - 1];
    for (int slot = 0; slot < slotTable.slots; slot++) {
      // A running job may stay on a node that takes no others.
      free[slotTable.node[slot]] +=
          slotTable.isUp[slot] ? slotTable.free[slot] : slotTable.capacity[slot];
    }
    return free;
  }

  private ClusterTopology ideal(ClusterTopology real) {
    ClusterTopology.Builder ideal = ClusterTopology.builder();
    boolean hasFabric = real.domains().stream().anyMatch(domain -> domain.fabric().isPresent());
    if (hasFabric) {
      ideal.levels(ALL).domain(Domain.of(ALL, ALL).withFabric(Bandwidth.UNLIMITED));
    }
    Link nic = fastest(real);
    Bandwidth nvlink = max(real.nodes().stream().map(Node::nvlink));
    for (int node = 0; node < nodes; node++) {
      Node.Builder builder = Node.builder("n" + node).nic(nic).nvlink(nvlink);
      for (int gpu = 0; gpu < gpusOfNode; gpu++) {
        builder.gpu(Gpu.of(GpuModel.of("any"), Memory.ofGib(1)));
      }
      ideal.node((hasFabric ? builder.domain(ALL) : builder).build());
    }
    return ideal.build();
  }

  private static Bandwidth max(Stream<Bandwidth> rates) {
    return rates.max(FASTER).orElse(Bandwidth.UNLIMITED);
  }

  private static Link fastest(ClusterTopology real) {
    Bandwidth most = max(real.nodes().stream().map(node -> node.nic().bandwidth()));
    Duration least =
        real.nodes().stream()
            .map(node -> node.nic().latency())
            .min(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return new Link(most, least);
  }

  /** What the bound depends on. */
  private record Shape(List<TaskRole> roles, Communication communication) {}

  /** The ways to split the tasks of one gang, up to which node is which. */
  private final class Splits {
    private final JobCost cost;
    private final int[] gpus;
    private final int[] left;
    private final TaskCounts counts;
    private final int[][] parts;
    private int tried;
    private double least = Double.POSITIVE_INFINITY;

    Splits(JobSpec job, JobCost cost) {
      this.cost = cost;
      List<TaskRole> roles = job.roles();
      gpus = roles.stream().mapToInt(role -> role.request().gpus()).toArray();
      left = roles.stream().mapToInt(TaskRole::count).toArray();
      counts = new TaskCounts(nodes, roles.size());
      parts = new int[Math.min(nodes, Math.max(1, job.tasks())) + 1][roles.size()];
      parts[0] = left.clone();
    }

    boolean areAllTried() {
      return tried <= MOST_SPLITS;
    }

    /** Tries all splits until there are too many. */
    double least() {
      split(1, 0, gpusOfNode, true);
      return least == Double.POSITIVE_INFINITY ? 0 : least;
    }

    /** Chooses the tasks of a role on a node, no more than the node before has, and goes on. */
    private void split(int node, int role, int capacity, boolean mayEqual) {
      if (role == left.length) {
        next(node);
        return;
      }
      int most = mayEqual ? Math.min(left[role], parts[node - 1][role]) : left[role];
      most = Math.min(most, capacity / gpus[role]);
      for (int here = most; here >= 0 && tried <= MOST_SPLITS; here--) {
        parts[node][role] = here;
        left[role] -= here;
        split(
            node,
            role + 1,
            capacity - here * gpus[role],
            mayEqual && here == parts[node - 1][role]);
        left[role] += here;
      }
      parts[node][role] = 0;
    }

    private void next(int node) {
      if (Arrays.stream(parts[node]).sum() == 0) {
        return;
      }
      if (Arrays.stream(left).sum() == 0) {
        tried++;
        least = Math.min(least, costOn(node));
      } else if (node + 1 < parts.length) {
        split(node + 1, 0, gpusOfNode, true);
      }
    }

    private double costOn(int used) {
      counts.clear();
      for (int node = 1; node <= used; node++) {
        for (int role = 0; role < left.length; role++) {
          if (parts[node][role] > 0) {
            counts.add(node - 1, role, parts[node][role]);
          }
        }
      }
      return cost.of(counts);
    }

    /** Returns the least cost of the splits of one role in which nodes differ by one task. */
    double leastEven() {
      int tasks = left[0];
      double cheapest = Double.POSITIVE_INFINITY;
      int fewest = (tasks + gpusOfNode / gpus[0] - 1) / Math.max(1, gpusOfNode / gpus[0]);
      for (int used = Math.max(1, fewest); used <= Math.min(nodes, tasks); used++) {
        counts.clear();
        for (int node = 0; node < used; node++) {
          counts.add(node, 0, tasks / used + (node < tasks % used ? 1 : 0));
        }
        cheapest = Math.min(cheapest, cost.of(counts));
      }
      return cheapest == Double.POSITIVE_INFINITY ? 0 : cheapest;
    }
  }
}
