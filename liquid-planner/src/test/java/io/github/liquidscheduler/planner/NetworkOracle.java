package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The network model of {@code docs/placement.md} written once more, from sets of nodes and lists of
 * tasks: as slow and as plain as can be, and without any code of the library but its values.
 */
final class NetworkOracle {

  private static final double EFFICIENCY = 0.8;
  private static final double LINK_LATENCY = 20e-6;
  private static final double FABRIC_LATENCY = 5e-6;
  private static final double OVERLAP = 5.3;
  private static final double SKEW = 0.057;
  private static final double COMPUTE = 0.25;
  private static final double HOST_BRIDGE = 10e9;
  private static final double NANOS = 1e9;

  private final ClusterTopology topology;
  private final double pairPenalty;
  private final boolean isHierarchical;
  private final List<Edge> edges = new ArrayList<>();

  /** A network card or an uplink, with the nodes below it. */
  private record Edge(String level, Link link, Set<NodeId> below, Optional<Bandwidth> fabric) {
    double rate() {
      return rateOf(link.bandwidth());
    }

    double latency() {
      return link.latency().toNanos() / NANOS;
    }

    boolean isNode() {
      return level.equals(ClusterTopology.NODE);
    }
  }

  /** A job where it runs. */
  record Placed(JobSpec job, Placement placement) {
    Set<NodeId> nodes() {
      return placement.nodes();
    }

    List<TaskPlacement> tasksIn(Set<NodeId> part) {
      return placement.tasks().stream().filter(task -> part.contains(task.node())).toList();
    }

    int gpusIn(Set<NodeId> part) {
      return tasksIn(part).stream().mapToInt(task -> task.gpus().size()).sum();
    }

    long tasksIn(Set<NodeId> part, String role) {
      return tasksIn(part).stream().filter(task -> task.task().role().equals(role)).count();
    }

    Set<NodeId> usedIn(Set<NodeId> part) {
      return nodes().stream()
          .filter(part::contains)
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    double compute() {
      int gpus = placement.gpus();
      return gpus < 2 ? COMPUTE : COMPUTE * (1 + SKEW * Math.log(gpus));
    }

    List<Communication> patterns() {
      return job.communication() instanceof Communication.Combined combined
          ? combined.parts()
          : List.of(job.communication());
    }
  }

  NetworkOracle(ClusterTopology topology, double pairPenalty, boolean isHierarchical) {
    this.topology = topology;
    this.pairPenalty = pairPenalty;
    this.isHierarchical = isHierarchical;
    for (Node node : topology.nodes()) {
      edges.add(
          new Edge(
              ClusterTopology.NODE,
              node.nic(),
              new LinkedHashSet<>(List.of(node.id())),
              Optional.empty()));
    }
    for (Domain domain : topology.domains()) {
      edges.add(new Edge(domain.level(), domain.uplink(), nodesOf(domain.id()), domain.fabric()));
    }
  }

  private Set<NodeId> nodesOf(DomainId domain) {
    NodeRange range = topology.nodesOf(domain);
    Set<NodeId> nodes = new LinkedHashSet<>();
    topology.nodes().subList(range.first(), range.end()).forEach(node -> nodes.add(node.id()));
    return nodes;
  }

  /** Returns the seconds that communicating makes an iteration longer if nobody else sends. */
  double alone(Placed job) {
    return exposed(job.compute(), seconds(job, List.of()));
  }

  /**
   * Returns what a job costs beside others: its own longer iteration, and those of the others, each
   * slowed by the worst of its links.
   */
  double beside(Placed job, List<Placed> others) {
    double sum = exposed(job.compute(), seconds(job, others));
    for (Placed other : others) {
      double slower = 0;
      for (Edge edge : edges) {
        if (bytes(other, edge) > 0) {
          slower = Math.max(slower, slowdown(edge, bytes(job, edge), job.compute(), others));
        }
      }
      double communicate = seconds(other, List.of());
      double compute = other.compute();
      sum += exposed(compute, communicate * (1 + slower)) - exposed(compute, communicate);
    }
    return sum;
  }

  /** Returns by which part transfers of those on a link take longer beside so many more bytes. */
  private double slowdown(Edge edge, double bytes, double compute, List<Placed> others) {
    double rate = edge.rate();
    double wanted = Math.min(rate, bytes / compute);
    if (wanted == 0 || Double.isInfinite(rate)) {
      return 0;
    }
    int senders = senders(edge, others);
    double before = Math.min(load(edge, others), rate);
    return Math.max(0, before / Math.max(rate - wanted, rate * senders / (senders + 1)) - 1);
  }

  private int senders(Edge edge, List<Placed> jobs) {
    return (int) jobs.stream().filter(job -> bytes(job, edge) > 0).count();
  }

  /** Returns the bytes per second over a link; each job counts as if it were alone. */
  private double load(Edge edge, List<Placed> jobs) {
    double sum = 0;
    for (Placed job : jobs) {
      double compute = job.compute();
      double iteration = compute + exposed(compute, seconds(job, List.of()));
      sum += Math.rint(bytes(job, edge) / iteration);
    }
    return sum;
  }

  private double left(Edge edge, List<Placed> others) {
    int senders = senders(edge, others);
    double rate = edge.rate();
    return senders == 0 ? rate : Math.max(rate - load(edge, others), rate / (senders + 1));
  }

  private double seconds(Placed job, List<Placed> others) {
    double sum = 0;
    for (Communication pattern : job.patterns()) {
      sum += seconds(pattern, job, others);
    }
    return sum;
  }

  private double seconds(Communication pattern, Placed job, List<Placed> others) {
    double inside = 0;
    for (Edge edge : edges) {
      inside = Math.max(inside, insideSeconds(pattern, job, edge));
    }
    Map<Edge, Double> crossed = new LinkedHashMap<>();
    for (Edge edge : edges) {
      double bytes = bytes(pattern, job, edge);
      if (bytes > 0) {
        crossed.put(edge, bytes * penalty(pattern, job, edge) / left(edge, others));
      }
    }
    double across =
        pattern instanceof Communication.ParameterServer servers
            ? inTurn(servers, job, crossed)
            : crossed.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    boolean phased = pattern instanceof Communication.AllReduce && isHierarchical;
    double transfers = phased ? inside + across : Math.max(inside, across);
    double latency = across > 0 ? latency(crossed.keySet()) : FABRIC_LATENCY;
    return transfers == 0 ? 0 : transfers + latency * steps(pattern, job);
  }

  private double penalty(Communication pattern, Placed job, Edge edge) {
    boolean pair = pattern instanceof Communication.AllReduce && job.nodes().size() == 2;
    return pair && edge.isNode() ? 1 + pairPenalty : 1;
  }

  private static double latency(Set<Edge> crossed) {
    Map<String, Double> byLevel = new LinkedHashMap<>();
    crossed.forEach(edge -> byLevel.merge(edge.level(), edge.latency(), Math::max));
    return LINK_LATENCY + 2 * byLevel.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Returns the seconds of the slowest server's link and, after it, worker's link of each level.
   */
  private static double inTurn(
      Communication.ParameterServer servers, Placed job, Map<Edge, Double> crossed) {
    Map<String, Double> byLevel = new LinkedHashMap<>();
    crossed.forEach(
        (one, seconds) -> {
          boolean server = job.tasksIn(one.below(), servers.serverRole()) > 0;
          byLevel.merge(one.level(), seconds, Math::max);
          crossed.forEach(
              (other, more) -> {
                boolean worker = job.tasksIn(other.below(), servers.workerRole()) > 0;
                if (server && worker && !one.equals(other) && one.level().equals(other.level())) {
                  byLevel.merge(one.level(), seconds + more, Math::max);
                }
              });
        });
    return byLevel.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private double bytes(Placed job, Edge edge) {
    return job.patterns().stream().mapToDouble(pattern -> bytes(pattern, job, edge)).sum();
  }

  /**
   * Returns the bytes over a link; what leaves an NVLink domain is spread over its nodes' cards.
   */
  private double bytes(Communication pattern, Placed job, Edge edge) {
    int used = job.usedIn(edge.below()).size();
    Optional<Edge> fabric =
        edges.stream()
            .filter(other -> isFabricOf(other, job) && isAbove(other, edge))
            .min((one, other) -> Integer.compare(depth(other), depth(one)));
    return used == 0
        ? 0
        : fabric
            .map(
                domain ->
                    across(pattern, job, domain.below()) * used / job.usedIn(domain.below()).size())
            .orElseGet(() -> across(pattern, job, edge.below()));
  }

  private int depth(Edge edge) {
    return topology.levels().indexOf(edge.level());
  }

  private boolean isAbove(Edge one, Edge other) {
    return one.below().containsAll(other.below()) && depth(one) < depth(other);
  }

  private static boolean isFabricOf(Edge edge, Placed job) {
    return edge.fabric().filter(rate -> !rate.equals(Bandwidth.ZERO)).isPresent()
        && job.usedIn(edge.below()).size() > 1;
  }

  private double across(Communication pattern, Placed job, Set<NodeId> part) {
    double k = job.placement().gpus();
    double g = job.gpusIn(part);
    boolean cut = 0 < g && g < k;
    return switch (pattern) {
      case Communication.None none -> 0;
      case Communication.Combined combined -> throw new IllegalArgumentException("nested");
      case Communication.AllReduce all ->
          cut ? ring(isHierarchical ? job.nodes().size() : k) * all.bytesPerIteration() : 0;
      case Communication.AllToAll all -> cut ? g * all.bytesPerIteration() * (k - g) / (k - 1) : 0;
      case Communication.Pipeline chain ->
          (double) chain.bytesPerIteration()
              * Math.min(2, job.nodes().size() - job.usedIn(part).size());
      case Communication.TensorParallel groups ->
          g % groups.groupSize() != 0 && g < k
              ? ring(Math.min(groups.groupSize(), k)) * groups.bytesPerIteration()
              : 0;
      case Communication.ParameterServer roles -> {
        double share = share(roles, job, part);
        double workers = job.tasksIn(part, roles.workerRole());
        double elsewhere = job.tasksIn(job.nodes(), roles.workerRole()) - workers;
        yield roles.bytesPerIteration() * (workers * (1 - share) + share * elsewhere);
      }
    };
  }

  private static double share(Communication.ParameterServer roles, Placed job, Set<NodeId> part) {
    return (double) job.tasksIn(part, roles.serverRole())
        / job.tasksIn(job.nodes(), roles.serverRole());
  }

  private double insideSeconds(Communication pattern, Placed job, Edge edge) {
    int gpus = job.gpusIn(edge.below());
    boolean uses = !job.usedIn(edge.below()).isEmpty();
    if (!uses || (!edge.isNode() && !isFabricOf(edge, job))) {
      return 0;
    }
    double bytes = inside(pattern, job, edge.below());
    return bytes == 0 ? 0 : bytes / insideRate(edge, gpus);
  }

  private double insideRate(Edge edge, int gpus) {
    if (!edge.isNode()) {
      return rateOf(edge.fabric().orElseThrow());
    }
    Node node = topology.node(edge.below().iterator().next());
    Map<Integer, Long> groups =
        node.gpus().stream()
            .collect(Collectors.groupingBy(gpu -> gpu.nvlinkGroup(), Collectors.counting()));
    long largest = groups.values().stream().mapToLong(Long::longValue).max().orElse(0);
    double nvlink = rateOf(node.nvlink());
    return gpus > largest ? Math.min(nvlink, HOST_BRIDGE * EFFICIENCY) : nvlink;
  }

  private double inside(Communication pattern, Placed job, Set<NodeId> part) {
    double k = job.placement().gpus();
    double g = job.gpusIn(part);
    return switch (pattern) {
      case Communication.None none -> 0;
      case Communication.Combined combined -> throw new IllegalArgumentException("nested");
      case Communication.AllReduce all ->
          g < 2 ? 0 : ring(isHierarchical ? g : k) * all.bytesPerIteration();
      case Communication.AllToAll all -> g < 2 ? 0 : all.bytesPerIteration() * (g - 1) / (k - 1);
      case Communication.Pipeline chain ->
          (double) chain.bytesPerIteration() * Math.clamp(job.tasksIn(part).size() - 1L, 0, 2);
      case Communication.TensorParallel groups ->
          g < 2 ? 0 : ring(Math.min(groups.groupSize(), k)) * groups.bytesPerIteration();
      case Communication.ParameterServer roles -> {
        long servers = job.tasksIn(part, roles.serverRole());
        long workers = job.tasksIn(part, roles.workerRole());
        yield servers == 0 || workers == 0
            ? 0
            : (double) roles.bytesPerIteration()
                * (workers + servers)
                / job.tasksIn(job.nodes(), roles.serverRole());
      }
    };
  }

  private double steps(Communication pattern, Placed job) {
    int gpus = job.placement().gpus();
    int nodes = job.nodes().size();
    return switch (pattern) {
      case Communication.None none -> 0;
      case Communication.Combined combined -> throw new IllegalArgumentException("nested");
      case Communication.AllReduce all -> 2.0 * ((isHierarchical && nodes > 1 ? nodes : gpus) - 1);
      case Communication.AllToAll all -> gpus - 1;
      case Communication.Pipeline chain -> 2;
      case Communication.TensorParallel groups -> 2.0 * (Math.min(groups.groupSize(), gpus) - 1);
      case Communication.ParameterServer roles -> 2;
    };
  }

  private static double ring(double members) {
    return members < 2 ? 0 : 2 * (members - 1) / members;
  }

  private static double rateOf(Bandwidth bandwidth) {
    return bandwidth.isUnlimited()
        ? Double.POSITIVE_INFINITY
        : bandwidth.bytesPerSecond() * EFFICIENCY;
  }

  /** Returns by how much an iteration is longer than computing, both to the power of 5.3 summed. */
  private static double exposed(double compute, double communicate) {
    double sum = Math.pow(compute, OVERLAP) + Math.pow(communicate, OVERLAP);
    return Math.pow(sum, 1 / OVERLAP) - compute;
  }
}
