package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a pattern is the bytes it sends through each cut of the tree that the placement makes, so
 * that a cost is a walk over the parts of the footprint: seconds per link, the slowest or their
 * path, plus latencies, less what computing hides.
 * Invariants: seconds never grow with more bandwidth (NetworkLaws); without loads the result
 * depends on counts only; the footprint traced last is the candidate all other methods speak of.
 * Cost: O(nodes used x levels) for each pattern, without garbage; the model itself O(links).
 * Source: docs/placement.md; measured in docs/performance.md.
 */
/**
 * The seconds of a job's traffic in each iteration on the links that a placement crosses.
 *
 * <p>A pattern of communication sends known bytes through the network card of each node and the
 * uplink of each domain that holds a part of the job. A link gives what others leave of it, but at
 * least a fair share. A ring, an exchange or a pipeline takes the transfer seconds of its slowest
 * link, since its transfers are cut small; a parameter server is waited for link by link, since
 * tensors are stored and forwarded whole. GPUs of one node, or of one NVLink domain, use its fabric
 * instead; traffic out of an NVLink domain is spread over the network cards of its nodes in use.
 * Latencies of transfers that wait for each other are added. Computing hides a part of it all, see
 * {@link NetworkParameters#overlap()}.
 *
 * <p>GPUs of a node are taken to be in one NVLink group if it is large enough. A job's own patterns
 * follow each other and do not collide.
 *
 * <p>Not thread-safe.
 */
public final class NetworkModel {

  private final LinkTable links;
  private final NetworkParameters parameters;
  private final TrafficFootprint footprint;
  private final SlowestPath path;

  private NetworkModel(LinkTable links, NetworkParameters parameters) {
    this.parameters = parameters;
    this.links = links;
    footprint = new TrafficFootprint(links);
    path = new SlowestPath(links.levels());
  }

  /** Returns the model of a cluster's network; O(nodes). */
  public static NetworkModel of(ClusterTopology topology, NetworkParameters parameters) {
    Objects.requireNonNull(parameters, "parameters");
    return new NetworkModel(new LinkTable(topology, parameters), parameters);
  }

  /**
   * Returns the model of another topology with the same parameters; O(nodes).
   *
   * @param before the position in this topology of each node of that one; -1 if it is new
   */
  public NetworkModel changedTo(ClusterTopology changed, int[] before) {
    boolean hasSameLevels = changed.levels().equals(topology().levels());
    return new NetworkModel(
        new LinkTable(changed, parameters, hasSameLevels ? links : null, before), parameters);
  }

  /** Returns a model of the same network for another candidate; O(links). */
  NetworkModel another() {
    return new NetworkModel(links, parameters);
  }

  /** Returns the topology. */
  public ClusterTopology topology() {
    return links.topology();
  }

  /** Returns the parameters. */
  public NetworkParameters parameters() {
    return parameters;
  }

  /**
   * Returns the seconds of the traffic in one iteration, without other traffic.
   *
   * @throws IllegalArgumentException if the counts are of another number of roles than the job has
   */
  public double communicationSeconds(Traffic traffic, TaskCounts counts) {
    trace(traffic, counts);
    return seconds(traffic, null);
  }

  /**
   * Returns the seconds of one iteration, computing and communicating, without other traffic.
   *
   * @throws IllegalArgumentException if the counts are of another number of roles than the job has
   */
  public double iterationSeconds(Traffic traffic, TaskCounts counts) {
    double communicate = communicationSeconds(traffic, counts);
    return parameters.iterationSeconds(computeSeconds(traffic), communicate);
  }

  /**
   * Returns the fraction by which communicating makes an iteration longer than computing alone,
   * with all tasks on one node.
   *
   * @param counts the tasks, all on {@code node}
   * @param inOneGroup whether their GPUs are in one NVLink group
   * @throws IllegalArgumentException if the counts are of another number of roles than the job has
   */
  public double stretchOnNode(Traffic traffic, TaskCounts counts, int node, boolean inOneGroup) {
    trace(traffic, counts);
    double seconds = 0;
    for (TrafficPattern pattern : traffic.patterns(parameters.allReduce())) {
      double bytes = 0;
      for (int part = 0; part < footprint.size(); part++) {
        bytes += footprint.link(part) == node ? pattern.inside(footprint, part) : 0;
      }
      if (bytes > 0) {
        double latency = parameters.fabricLatencySeconds() * pattern.steps(footprint);
        seconds += bytes / links.nodeRate(node, inOneGroup) + latency;
      }
    }
    double compute = computeSeconds(traffic);
    return parameters.exposedSeconds(compute, seconds) / compute;
  }

  /** Returns the number of links: the network card of each node and the uplink of each domain. */
  public int linkCount() {
    return links.size();
  }

  /** Returns the seconds that the traffic needs over the link above a part. */
  double linkSeconds(Traffic traffic, int part, @Nullable LinkLoads loads) {
    List<TrafficPattern> patterns = traffic.patterns(parameters.allReduce());
    double sum = 0;
    for (int i = 0; i < patterns.size(); i++) {
      sum += linkSeconds(patterns.get(i), part, bytes(patterns.get(i), part), loads);
    }
    return sum;
  }

  LinkTable links() {
    return links;
  }

  /** Returns the footprint of the candidate. */
  TrafficFootprint footprint() {
    return footprint;
  }

  void trace(Traffic traffic, TaskCounts counts) {
    traffic.requireRolesOf(counts);
    footprint.trace(traffic, counts);
  }

  /** Returns the seconds that each GPU of the candidate computes. */
  double computeSeconds(Traffic traffic) {
    return parameters.computeSeconds(traffic.computeSeconds(), footprint.gpus());
  }

  /** Returns the seconds that the traffic of the candidate needs. */
  double seconds(Traffic traffic, @Nullable LinkLoads loads) {
    List<TrafficPattern> patterns = traffic.patterns(parameters.allReduce());
    double sum = 0;
    for (int i = 0; i < patterns.size(); i++) {
      sum += seconds(patterns.get(i), loads);
    }
    return sum;
  }

  /** Returns the bytes that the candidate sends over the link above a part in one iteration. */
  double bytes(Traffic traffic, int part) {
    List<TrafficPattern> patterns = traffic.patterns(parameters.allReduce());
    double sum = 0;
    for (int i = 0; i < patterns.size(); i++) {
      sum += bytes(patterns.get(i), part);
    }
    return sum;
  }

  private double seconds(TrafficPattern pattern, @Nullable LinkLoads loads) {
    double across = across(pattern, loads);
    double inside = inside(pattern);
    double latency =
        across > 0
            ? path.latency(parameters.linkLatencySeconds())
            : parameters.fabricLatencySeconds();
    double transfers = pattern.isPhased() ? inside + across : Math.max(inside, across);
    return transfers == 0 ? 0 : transfers + latency * pattern.steps(footprint);
  }

  private double across(TrafficPattern pattern, @Nullable LinkLoads loads) {
    path.clear();
    double slowest = 0;
    for (int part = 0; part < footprint.size(); part++) {
      double bytes = bytes(pattern, part);
      if (bytes > 0) {
        double seconds = linkSeconds(pattern, part, bytes, loads);
        slowest = Math.max(slowest, seconds);
        int link = footprint.link(part);
        path.addLatency(links.level(link), links.latency(link));
        noteEnds(pattern, part, seconds);
      }
    }
    return pattern.isStoredAndForwarded() ? path.seconds() : slowest;
  }

  /** Returns the seconds that one pattern needs for {@code bytes} over the link above a part. */
  double linkSeconds(TrafficPattern pattern, int part, double bytes, @Nullable LinkLoads loads) {
    int link = footprint.link(part);
    double rate = loads == null ? links.rate(link) : loads.left(link);
    boolean isPair = pattern.isRing() && footprint.nodes() == 2 && link < links.nodes();
    return bytes * (isPair ? 1 + parameters.pairPenalty() : 1) / rate;
  }

  /** Returns the bytes that a pattern sends over the link above a part in one iteration. */
  double bytes(TrafficPattern pattern, int part) {
    int fabric = fabricAbove(part);
    return fabric < 0
        ? pattern.across(footprint, part)
        : pattern.across(footprint, fabric) * footprint.nodesIn(part) / footprint.nodesIn(fabric);
  }

  /** Returns the part of the NVLink domain that joins the part with other used nodes, or -1. */
  private int fabricAbove(int part) {
    if (!links.hasFabricDomains()) {
      return -1;
    }
    for (int at = footprint.up(part); at >= 0; at = footprint.up(at)) {
      if (isSharedFabric(at)) {
        return at;
      }
    }
    return -1;
  }

  private boolean isSharedFabric(int part) {
    return footprint.nodesIn(part) > 1 && links.isFabricDomain(footprint.link(part));
  }

  private double inside(TrafficPattern pattern) {
    double slowest = 0;
    for (int part = 0; part < footprint.size(); part++) {
      slowest = Math.max(slowest, insideSeconds(pattern, part));
    }
    return slowest;
  }

  /** Returns the seconds that a pattern needs between the GPUs of a node or NVLink domain. */
  double insideSeconds(TrafficPattern pattern, int part) {
    int link = footprint.link(part);
    if (link >= links.nodes() && !isSharedFabric(part)) {
      return 0;
    }
    double bytes = pattern.inside(footprint, part);
    return bytes == 0 ? 0 : bytes / links.fabricRate(link, footprint.gpus(part));
  }

  private void noteEnds(TrafficPattern pattern, int part, double seconds) {
    if (pattern instanceof TrafficPattern.Servers roles) {
      int level = links.level(footprint.link(part));
      if (footprint.tasks(part, roles.serverRole()) > 0) {
        path.addServerEnd(level, part, seconds);
      }
      if (footprint.tasks(part, roles.workerRole()) > 0) {
        path.addWorkerEnd(level, part, seconds);
      }
    }
  }
}
