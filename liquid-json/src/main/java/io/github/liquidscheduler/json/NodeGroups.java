package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster file: an array whose entries may stand for many equal nodes. */
final class NodeGroups {

  /** The most GPUs and labels that a cluster file may describe: a few bytes can ask for many. */
  private static final long MAX_PARTS = 10_000_000;

  private static final Node DEFAULTS = Node.builder("defaults").build();

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

  /** Reads one node of a cluster that is known elsewhere. */
  static Node one(JsonValue in) {
    return in.object(
        fields -> {
          Node.Builder node = Node.builder(fields.required("id", JsonValue::text));
          fields.optional("domain", JsonValue::text).ifPresent(node::domain);
          return Parts.from(fields).on(node).build();
        });
  }

  static void one(JsonOutput out, Node node) {
    run(out, List.of(node));
  }

  /** Writes the nodes, neighbours that differ by their number only as groups. */
  static void write(JsonOutput out, List<Node> nodes) {
    out.array(Runs.of(nodes, NodeGroups::continues), NodeGroups::run);
  }

  private List<Node> group(JsonFields in) {
    IdGroup ids = IdGroup.from(in, "domain");
    Parts common = Parts.from(in);
    requireRoom(in, ids.count(), common.gpus.size() + common.labels.size());
    List<Node> read = new ArrayList<>();
    for (int i = 0; i < ids.count(); i++) {
      Node.Builder node = common.on(Node.builder(ids.id().apply(i)));
      ids.owner().apply(i).ifPresent(node::domain);
      read.add(node.build());
    }
    return read;
  }

  private void requireRoom(JsonFields in, long nodesMore, long partsEach) {
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
        && node.domain().equals(run.get(0).domain())
        && Parts.of(node).equals(Parts.of(run.get(0)));
  }

  private static void run(JsonOutput out, List<Node> run) {
    Node node = run.get(0);
    String id = node.id().value();
    out.object(
        () -> {
          if (run.size() == 1) {
            out.field("id", id);
          } else {
            out.field("count", run.size());
            out.field("id", IdPattern.of(id).toString());
            out.field("first", IdPattern.numberOf(id), 0, JsonOutput::number);
          }
          node.domain().ifPresent(domain -> out.field("domain", domain.value()));
          Parts.of(node).write(out);
        });
  }

  /** What nodes of a group have in common. */
  private record Parts(
      List<Gpu> gpus,
      CpuCores cpu,
      Memory memory,
      Link nic,
      Bandwidth nvlink,
      Map<String, String> labels) {

    static Parts of(Node node) {
      return new Parts(
          node.gpus(), node.cpu(), node.memory(), node.nic(), node.nvlink(), node.labels());
    }

    static Parts from(JsonFields in) {
      return new Parts(
          in.optional("gpus", GpuGroups::read).orElse(List.of()),
          in.optional("cpu", QuantityJson::cpu).orElse(DEFAULTS.cpu()),
          in.optional("memory", QuantityJson::memory).orElse(DEFAULTS.memory()),
          in.optional("nic", LinkJson::read).orElse(DEFAULTS.nic()),
          in.optional("nvlink", QuantityJson::bandwidth).orElse(DEFAULTS.nvlink()),
          in.strings("labels"));
    }

    Node.Builder on(Node.Builder node) {
      gpus.forEach(node::gpu);
      labels.forEach(node::label);
      return node.cpu(cpu).memory(memory).nic(nic).nvlink(nvlink);
    }

    void write(JsonOutput out) {
      if (!gpus.isEmpty()) {
        out.field("gpus", gpus, GpuGroups::write);
      }
      out.field("cpu", cpu, DEFAULTS.cpu(), QuantityJson::cpu);
      out.field("memory", memory, DEFAULTS.memory(), QuantityJson::memory);
      out.field("nic", nic, DEFAULTS.nic(), LinkJson::write);
      out.field("nvlink", nvlink, DEFAULTS.nvlink(), QuantityJson::bandwidth);
      out.strings("labels", labels);
    }
  }
}
