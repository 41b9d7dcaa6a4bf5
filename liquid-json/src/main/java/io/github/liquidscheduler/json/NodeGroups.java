package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The nodes of a cluster file: an array whose entries may stand for many equal nodes. */
final class NodeGroups {

  /** One node of a cluster that is known elsewhere. */
  static final Form<Node> NODE =
      fields(
              new ObjectForm.Fields<>(
                      "id", Form.of(NodeId.class), Node::id, id -> Node.builder(id.value()))
                  .optional(
                      "domain",
                      Form.of(DomainId.class),
                      Node::domain,
                      (node, domain) -> node.domain(domain.value())))
          .build(Node.Builder::build)
          .form();

  /** The most GPUs and labels that a cluster file may describe: a few bytes can ask for many. */
  private static final long MAX_PARTS = 10_000_000;

  /** What nodes of a group have in common, as a node. */
  private static final ObjectForm<Node> COMMON =
      fields(new ObjectForm.Fields<Node, Node.Builder>(in -> Node.builder("common")))
          .build(Node.Builder::build);

  private final DomainGroups domains;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private long parts;

  NodeGroups(DomainGroups domains) {
    this.domains = domains;
  }

  /** Reads one entry: a node, or a group of them. */
  void read(JsonValue in) {
    in.object(this::group).forEach(node -> add(in, node));
  }

  List<Node> nodes() {
    return List.copyOf(nodes.values());
  }

  /** Writes the nodes, neighbours that differ by their number only as groups. */
  static void write(JsonOutput out, List<Node> nodes) {
    out.array(Runs.of(nodes, NodeGroups::continues), NodeGroups::run);
  }

  private static ObjectForm.Fields<Node, Node.Builder> fields(
      ObjectForm.Fields<Node, Node.Builder> first) {
    Node defaults = Node.builder("defaults").build();
    return first
        .optional("gpus", GpuGroups.GPUS, Node::gpus, List.of(), NodeGroups::with)
        .optional("cpu", QuantityJson.CPU, Node::cpu, defaults.cpu(), Node.Builder::cpu)
        .optional(
            "memory", QuantityJson.MEMORY, Node::memory, defaults.memory(), Node.Builder::memory)
        .optional("nic", QuantityJson.LINK, Node::nic, defaults.nic(), Node.Builder::nic)
        .optional(
            "nvlink", QuantityJson.BANDWIDTH, Node::nvlink, defaults.nvlink(), Node.Builder::nvlink)
        .optional("disk", QuantityJson.MEMORY, Node::disk, defaults.disk(), Node.Builder::disk)
        .optional(
            "datasets",
            Form.of(Dataset.class).list(),
            Node::datasets,
            List.of(),
            NodeGroups::withDatasets)
        .strings("labels", Node::labels, Node.Builder::label);
  }

  private static Node.Builder with(Node.Builder node, List<Gpu> gpus) {
    gpus.forEach(node::gpu);
    return node;
  }

  private static Node.Builder withDatasets(Node.Builder node, List<Dataset> datasets) {
    datasets.forEach(node::dataset);
    return node;
  }

  private List<Node> group(JsonFields in) {
    IdGroup ids = IdGroup.from(in, "domain");
    Node common = COMMON.reader().apply(in);
    requireSpace(
        in, ids.count(), common.gpus().size() + common.labels().size() + common.datasets().size());
    return IntStream.range(0, ids.count()).mapToObj(i -> like(common, ids, i)).toList();
  }

  private static Node like(Node common, IdGroup ids, int position) {
    Node.Builder node = common.toBuilder().id(ids.id().apply(position));
    ids.owner().apply(position).ifPresent(node::domain);
    return node.build();
  }

  private void requireSpace(JsonFields in, long nodesMore, long partsEach) {
    parts += nodesMore * partsEach;
    if (parts > MAX_PARTS || nodes.size() + nodesMore > IdGroup.MAX_COUNT) {
      throw in.refuse(
          "a cluster file may have up to %d nodes with %d GPUs and labels, but had at least %d with %d"
              .formatted(IdGroup.MAX_COUNT, MAX_PARTS, nodes.size() + nodesMore, parts));
    }
  }

  private void add(JsonValue in, Node node) {
    node.domain()
        .filter(domain -> !domains.contains(domain.value()))
        .ifPresent(
            domain -> {
              throw in.refuse(
                  "node '%s' hangs on domain '%s', which is not there"
                      .formatted(node.id(), domain));
            });
    if (nodes.putIfAbsent(node.id().value(), node) != null) {
      throw in.refuse("ids of nodes must be distinct, but '" + node.id() + "' comes twice");
    }
  }

  private static boolean continues(List<Node> run, Node node) {
    String first = run.get(0).id().value();
    return run.size() < IdGroup.MAX_COUNT
        && IdPattern.fits(first)
        && IdPattern.numberOf(first) < IdGroup.MAX_NUMBER - IdGroup.MAX_COUNT
        && node.id().value().equals(IdPattern.of(first).at(IdPattern.numberOf(first) + run.size()))
        && partsOf(node).equals(partsOf(run.get(0)));
  }

  private static List<Object> partsOf(Node node) {
    return List.of(
        node.domain(),
        node.gpus(),
        node.cpu(),
        node.memory(),
        node.nic(),
        node.nvlink(),
        node.disk(),
        node.datasets(),
        node.labels());
  }

  private static void run(JsonOutput out, List<Node> run) {
    Node node = run.get(0);
    if (run.size() == 1) {
      NODE.write(out, node);
      return;
    }
    String id = node.id().value();
    out.object(
        () -> {
          out.field("count", run.size(), Form.INTEGER);
          out.field("id", IdPattern.of(id).toString(), Form.TEXT);
          out.field("first", IdPattern.numberOf(id), 0, Form.INTEGER);
          node.domain().ifPresent(domain -> out.field("domain", domain.value(), Form.TEXT));
          COMMON.writer().accept(out, node);
        });
  }
}
