package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The hardware of a cluster: nodes at the leaves of a tree of domains with named levels, widest
 * first. Two levels are always there: {@value #CLUSTER} above all others and {@value #NODE} below.
 * A branch may leave levels out, so that each GPU model can have a tree of its own. Immutable.
 *
 * <p>The nodes stand in the order of a walk through the tree, so the nodes of a domain are
 * neighbours: a {@link NodeRange}. That order is the order in which domains and nodes were added.
 */
public final class ClusterTopology {

  /** The name of the level of the whole cluster. */
  public static final String CLUSTER = "cluster";

  /** The name of the level of single nodes. */
  public static final String NODE = "node";

  /** How many levels there are at most between the cluster and the nodes. */
  public static final int MAX_LEVELS = 100;

  private final List<String> levels;
  private final List<Domain> domains;
  private final List<Node> nodes;
  private final Map<DomainId, Integer> domainPositions;
  // Never iterated.
  private final Map<NodeId, Integer> nodePositions;
  private final List<NodeRange> ranges;
  private final Map<GpuModel, Integer> gpusByModel;
  private final int[] firstGpu;

  ClusterTopology(TopologyWalk walk) {
    levels = walk.levels();
    domains = Collections.unmodifiableList(walk.domains());
    nodes = Collections.unmodifiableList(walk.nodes());
    ranges = Collections.unmodifiableList(walk.ranges());
    domainPositions = new LinkedHashMap<>();
    for (Domain domain : domains) {
      domainPositions.put(domain.id(), domainPositions.size());
    }
    nodePositions = positions(nodes);
    gpusByModel = new TreeMap<>();
    firstGpu = new int[nodes.size() + 1];
    for (int position = 0; position < nodes.size(); position++) {
      Node node = nodes.get(position);
      firstGpu[position + 1] = firstGpu[position] + node.gpus().size();
      countGpus(node.gpus());
    }
  }

  private ClusterTopology(ClusterTopology before, NodeChange change) {
    levels = before.levels;
    domains = before.domains;
    domainPositions = before.domainPositions;
    nodes = change.nodes(before.nodes);
    nodePositions = positions(nodes);
    ranges = change.ranges(before, before.ranges);
    gpusByModel = change.gpusByModel(before.gpusByModel);
    firstGpu = change.firstGpus(before.firstGpu);
  }

  private static Map<NodeId, Integer> positions(List<Node> nodes) {
    Map<NodeId, Integer> positions = HashMap.newHashMap(nodes.size());
    nodes.forEach(node -> positions.put(node.id(), positions.size()));
    return positions;
  }

  private void countGpus(List<Gpu> gpus) {
    for (int first = 0, end = 0; first < gpus.size(); first = end) {
      GpuModel model = gpus.get(first).model();
      while (end < gpus.size() && gpus.get(end).model().equals(model)) {
        end++;
      }
      gpusByModel.merge(model, end - first, Integer::sum);
    }
  }

  /** Returns a builder of a cluster with no levels of its own, no domains and no nodes. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns this topology with one more node, the last below its domain, and the domains that come
   * with it. Costs little more than a copy of some tables of O(nodes) if no domain comes with it.
   *
   * @throws IllegalArgumentException if the node or a domain is there already, or names a domain or
   *     level that is not there
   */
  public ClusterTopology withNode(Node node, List<Domain> domains) {
    boolean isNew = !contains(node.id()) && node.domain().stream().allMatch(this::contains);
    if (isNew && domains.isEmpty()) {
      return new ClusterTopology(this, new NodeChange(node, endOfNodesOn(node.domain()), 1));
    }
    Builder changed = toBuilder(nodes).node(node);
    domains.forEach(changed::domain);
    return changed.build();
  }

  /**
   * Returns this topology without a node; the domains above it stay. Costs little more than a copy
   * of some tables of O(nodes).
   *
   * @throws IllegalArgumentException if there is no such node, or no other
   */
  public ClusterTopology withoutNode(NodeId id) {
    int position = position(id);
    return nodes.size() == 1
        ? withNodes(List.of())
        : new ClusterTopology(this, new NodeChange(nodes.get(position), position, -1));
  }

  /** Returns the position after the last node that hangs on the domain itself, or on the root. */
  private int endOfNodesOn(Optional<DomainId> domain) {
    int own = domain.map(this::domainPosition).orElse(-1);
    boolean hasChild = own + 1 < domains.size() && domains.get(own + 1).parent().equals(domain);
    if (hasChild) {
      return ranges.get(own + 1).first();
    }
    return own < 0 ? nodes.size() : ranges.get(own).end();
  }

  /**
   * Returns a cluster of the same levels and domains with other nodes.
   *
   * @throws IllegalArgumentException if two of them have one id, one names a domain that is not
   *     there, or there are none
   */
  public ClusterTopology withNodes(Collection<Node> nodes) {
    return toBuilder(nodes).build();
  }

  private Builder toBuilder(Collection<Node> nodes) {
    Builder copy = new Builder();
    copy.levels = levels.subList(1, levels.size() - 1);
    domains.forEach(copy::domain);
    return copy.nodes(nodes);
  }

  /**
   * Returns the names of all levels, widest first: {@value #CLUSTER}, those of the builder, {@value
   * #NODE}.
   */
  public List<String> levels() {
    return levels;
  }

  /** Returns the position of the level in {@link #levels()}, or empty if there is none such. */
  public Optional<Integer> levelPosition(String level) {
    int position = levels.indexOf(level);
    return position < 0 ? Optional.empty() : Optional.of(position);
  }

  /** Returns the domains, each after its parent and before its sisters' children. */
  public List<Domain> domains() {
    return domains;
  }

  /** Returns the nodes in the order of a walk through the tree. */
  public List<Node> nodes() {
    return nodes;
  }

  /** Returns true if there is a node {@code id}. */
  public boolean contains(NodeId id) {
    return nodePositions.containsKey(id);
  }

  /** Returns true if there is a GPU {@code id}. */
  public boolean contains(GpuId id) {
    @Nullable Integer position = nodePositions.get(id.node());
    return position != null && id.index() < nodes.get(position).gpus().size();
  }

  /** Returns true if there is a domain {@code id}. */
  public boolean contains(DomainId id) {
    return domainPositions.containsKey(id);
  }

  /**
   * Returns the node {@code id}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Node node(NodeId id) {
    return nodes.get(position(id));
  }

  /**
   * Returns the position of the node {@code id} in {@link #nodes()}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public int position(NodeId id) {
    @Nullable Integer position = nodePositions.get(id);
    if (position == null) {
      throw new IllegalArgumentException("the cluster has no node '" + id + "'");
    }
    return position;
  }

  /**
   * Returns the domain {@code id}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Domain domain(DomainId id) {
    return domains.get(domainPosition(id));
  }

  /**
   * Returns the nodes of the domain {@code id}, those of its sub-domains included.
   *
   * @throws IllegalArgumentException if there is no such domain
   */
  public NodeRange nodesOf(DomainId id) {
    return ranges.get(domainPosition(id));
  }

  /**
   * Returns the domain of {@code level} that holds the node {@code id}, or empty if the node's
   * branch leaves that level out (or the level is {@value #CLUSTER} or {@value #NODE}).
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public Optional<Domain> domainOf(NodeId id, String level) {
    Optional<Domain> domain = node(id).domain().map(this::domain);
    while (domain.isPresent() && !domain.get().level().equals(level)) {
      domain = domain.get().parent().map(this::domain);
    }
    return domain;
  }

  /**
   * Returns the GPU {@code id}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Gpu gpu(GpuId id) {
    if (!contains(id)) {
      throw new IllegalArgumentException("the cluster has no GPU '" + id + "'");
    }
    return node(id.node()).gpus().get(id.index());
  }

  /**
   * Returns the GPU models of a placement, in the order of their names.
   *
   * @throws IllegalArgumentException if it names a GPU that is not there
   */
  public SortedSet<GpuModel> models(Placement placement) {
    return placement
        .gpuIds()
        .map(gpu -> gpu(gpu).model())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the number of GPUs of the nodes before the node at {@code position}, 0 to all. */
  public int gpusBefore(int position) {
    return firstGpu[position];
  }

  /** Returns the number of GPUs of all nodes. */
  public int gpuCount() {
    return firstGpu[firstGpu.length - 1];
  }

  /** Returns the number of GPUs of each model, in the order of the models' names. */
  public Map<GpuModel, Integer> gpusByModel() {
    return Collections.unmodifiableMap(gpusByModel);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusterTopology that
        && levels.equals(that.levels)
        && domains.equals(that.domains)
        && nodes.equals(that.nodes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(levels, nodes.size(), gpuCount());
  }

  @Override
  public String toString() {
    return "cluster of %s with %s %s"
        .formatted(Count.of(nodes.size(), "node"), Count.of(gpuCount(), "GPU"), gpusByModel);
  }

  /**
   * Returns the position of a domain in {@link #domains()}.
   *
   * @throws IllegalArgumentException if there is none
   */
  int domainPosition(DomainId id) {
    Integer position = domainPositions.get(id);
    if (position == null) {
      throw new IllegalArgumentException("the cluster has no domain '" + id + "'");
    }
    return position;
  }

  /** Builds a {@link ClusterTopology}. Not thread-safe. */
  public static final class Builder {
    private List<String> levels = List.of();
    private final Map<DomainId, Domain> domains = new LinkedHashMap<>();
    private final Map<NodeId, Node> nodes = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Names the levels between the cluster and the nodes, widest first, such as {@code "zone",
     * "rack"}.
     */
    public Builder levels(String... levels) {
      this.levels = List.of(levels);
      return this;
    }

    /**
     * Adds a domain.
     *
     * @throws IllegalArgumentException if there is a domain of that id already
     */
    public Builder domain(Domain domain) {
      if (domains.putIfAbsent(domain.id(), domain) != null) {
        throw new IllegalArgumentException("domain '" + domain.id() + "' was added twice");
      }
      return this;
    }

    /**
     * Adds a node.
     *
     * @throws IllegalArgumentException if there is a node of that id already
     */
    public Builder node(Node node) {
      if (nodes.putIfAbsent(node.id(), node) != null) {
        throw new IllegalArgumentException("node '" + node.id() + "' was added twice");
      }
      return this;
    }

    /** Adds nodes. */
    public Builder nodes(Collection<Node> nodes) {
      nodes.forEach(this::node);
      return this;
    }

    /**
     * Returns the topology.
     *
     * @throws IllegalArgumentException if there is no node, there are more than {@value
     *     #MAX_LEVELS} levels, a level name is blank, reserved or comes twice, or a domain or node
     *     names a level or domain that is not there or not wider than its own
     */
    public ClusterTopology build() {
      return new ClusterTopology(
          new TopologyWalk(levels, new ArrayList<>(domains.values()), domains, nodes.values()));
    }
  }
}
