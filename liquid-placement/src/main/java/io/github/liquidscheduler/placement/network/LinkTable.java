package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Idea: what the cost of a candidate reads in its inner loop, as arrays by link; parents give the
 * way up the tree without objects.
 * Invariants: immutable; links of nodes come first, those of domains behind them; a link's level is
 * that of the node or domain below it; infinite rates stay infinite.
 * Cost: O(nodes + domains) to make, one read for each question.
 */
/**
 * The links of a topology in primitive arrays. Link {@code i} is the network card of node {@code i}
 * for the first {@link #nodes()} links, and the uplink of domain {@code i - nodes()} for the rest.
 * Rates are in bytes per second, efficiency included; a link that never limits has an infinite
 * rate.
 */
final class LinkTable {

  /** The rate between GPUs of a node that are in different NVLink groups: PCIe and host bridge. */
  private static final double BETWEEN_GROUPS = 10e9;

  private static final double NANOS_PER_SECOND = 1e9;

  private final ClusterTopology topology;
  private final int nodes;
  private final int levels;
  private final double[] rate;
  private final double[] latency;
  private final int[] parent;
  private final int[] level;
  private final double[] fabric;
  private final double[] betweenGroups;
  private final int[] groupSize;
  private final Map<DomainId, Integer> domainLinks;
  private final boolean hasFabricDomains;
  private final boolean isUniform;

  LinkTable(ClusterTopology topology, NetworkParameters parameters) {
    this(topology, parameters, null, new int[0]);
  }

  /**
   * Makes the table of a topology of which parts are known.
   *
   * @param known the table of another topology with the same levels and parameters; null if none
   * @param before the position there of each node, which is the same; -1 if it is new
   */
  LinkTable(
      ClusterTopology topology,
      NetworkParameters parameters,
      @Nullable LinkTable known,
      int[] before) {
    this.topology = topology;
    nodes = topology.nodes().size();
    levels = topology.levels().size();
    int links = nodes + topology.domains().size();
    rate = new double[links];
    latency = new double[links];
    parent = new int[links];
    level = new int[links];
    fabric = new double[links];
    betweenGroups = new double[nodes];
    groupSize = new int[nodes];
    domainLinks = domainLinks();
    boolean hasSameDomains = known != null && topology.domains().equals(known.topology.domains());
    for (int link = 0; link < links; link++) {
      if (known != null && hasSameDomains && link < nodes && before[link] >= 0) {
        takeOver(link, known, before[link]);
      } else if (link < nodes) {
        addNode(link, topology.nodes().get(link), parameters);
      } else {
        addDomain(link, topology.domains().get(link - nodes), parameters);
      }
    }
    hasFabricDomains = hasFabricAboveNodes();
    isUniform = !hasFabricDomains && areAlikeInEachLevel();
  }

  private boolean hasFabricAboveNodes() {
    return Arrays.stream(fabric).skip(nodes).anyMatch(rate -> rate > 0);
  }

  private boolean areAlikeInEachLevel() {
    int[] first = new int[levels];
    Arrays.fill(first, -1);
    for (int link = 0; link < rate.length; link++) {
      int other = first[level[link]] < 0 ? link : first[level[link]];
      first[level[link]] = other;
      boolean alike = rate[link] == rate[other] && latency[link] == latency[other];
      boolean alikeInside =
          link >= nodes || (fabric[link] == fabric[other] && groupSize[link] == groupSize[other]);
      if (!alike || !alikeInside) {
        return false;
      }
    }
    return true;
  }

  private Map<DomainId, Integer> domainLinks() {
    Map<DomainId, Integer> links = new LinkedHashMap<>();
    for (Domain domain : topology.domains()) {
      links.put(domain.id(), nodes + links.size());
    }
    return links;
  }

  private void addNode(int link, Node node, NetworkParameters parameters) {
    addLink(link, node.nic(), parameters);
    parent[link] = node.domain().map(domainLinks::get).orElse(-1);
    level[link] = levels - 1;
    fabric[link] = scaled(node.nvlink(), parameters.fabricEfficiency());
    betweenGroups[link] = Math.min(fabric[link], BETWEEN_GROUPS * parameters.fabricEfficiency());
    groupSize[link] = largestGroup(node);
  }

  private void takeOver(int link, LinkTable known, int before) {
    rate[link] = known.rate[before];
    latency[link] = known.latency[before];
    int above = known.parent[before];
    parent[link] = above < 0 ? above : above - known.nodes + nodes;
    level[link] = known.level[before];
    fabric[link] = known.fabric[before];
    betweenGroups[link] = known.betweenGroups[before];
    groupSize[link] = known.groupSize[before];
  }

  private void addDomain(int link, Domain domain, NetworkParameters parameters) {
    addLink(link, domain.uplink(), parameters);
    parent[link] = domain.parent().map(domainLinks::get).orElse(-1);
    level[link] = topology.levelPosition(domain.level()).orElseThrow();
    fabric[link] =
        domain.fabric().map(rate -> scaled(rate, parameters.fabricEfficiency())).orElse(0.0);
  }

  private void addLink(int link, Link described, NetworkParameters parameters) {
    rate[link] = scaled(described.bandwidth(), parameters.linkEfficiency());
    latency[link] = described.latency().toNanos() / NANOS_PER_SECOND;
  }

  private static double scaled(Bandwidth bandwidth, double efficiency) {
    return bandwidth.isUnlimited()
        ? Double.POSITIVE_INFINITY
        : bandwidth.bytesPerSecond() * efficiency;
  }

  private static int largestGroup(Node node) {
    List<Gpu> gpus = node.gpus();
    int[] sizes = new int[4];
    int largest = 0;
    for (int gpu = 0; gpu < gpus.size(); gpu++) {
      int group = gpus.get(gpu).nvlinkGroup();
      sizes = group < sizes.length ? sizes : Arrays.copyOf(sizes, 2 * group);
      largest = Math.max(largest, ++sizes[group]);
    }
    return largest;
  }

  ClusterTopology topology() {
    return topology;
  }

  int nodes() {
    return nodes;
  }

  int size() {
    return rate.length;
  }

  int levels() {
    return levels;
  }

  double rate(int link) {
    return rate[link];
  }

  double latency(int link) {
    return latency[link];
  }

  /** Returns the uplink of the domain that the node or domain of {@code link} is in, or -1. */
  int parent(int link) {
    return parent[link];
  }

  /** Returns the position of the level of the node or domain below the link. */
  int level(int link) {
    return level[link];
  }

  /** Returns true if any NVLink domain spans nodes. */
  boolean hasFabricDomains() {
    return hasFabricDomains;
  }

  /**
   * Returns true if links of one level differ in their traffic only, and only nodes have NVLink.
   */
  boolean isUniform() {
    return isUniform;
  }

  /** Returns true if the GPUs below the link reach each other without network cards. */
  boolean isFabricDomain(int link) {
    return link >= nodes && fabric[link] > 0;
  }

  /** Returns the rate between {@code gpus} GPUs that are below the link: of a node or fabric. */
  double fabricRate(int link, int gpus) {
    return link < nodes && gpus > groupSize[link] ? betweenGroups[link] : fabric[link];
  }

  /** Returns the rate between GPUs of a node, in one NVLink group or in several. */
  double nodeRate(int node, boolean inOneGroup) {
    return inOneGroup ? fabric[node] : betweenGroups[node];
  }

  /**
   * Returns the uplink of a domain.
   *
   * @throws IllegalArgumentException if there is no such domain
   */
  int domainLink(DomainId domain) {
    Integer link = domainLinks.get(domain);
    if (link == null) {
      throw new IllegalArgumentException("the cluster has no domain '" + domain + "'");
    }
    return link;
  }

  /** Returns the name of the node or domain below the link. */
  String name(int link) {
    return link < nodes
        ? topology.nodes().get(link).id().value()
        : topology.domains().get(link - nodes).id().value();
  }
}
