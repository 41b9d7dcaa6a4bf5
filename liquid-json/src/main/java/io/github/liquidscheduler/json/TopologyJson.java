package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import java.util.List;

/** The JSON form of a cluster: the cluster file. */
final class TopologyJson {

  static final Form<ClusterTopology> CLUSTER =
      new ObjectForm<>(TopologyJson::read, TopologyJson::write).form();

  private static final Form<List<String>> LEVELS = Form.TEXT.list();
  private static final Form<List<Domain>> DOMAINS = Form.of(Domain.class).list();

  private TopologyJson() {}

  private static ClusterTopology read(JsonFields in) {
    List<String> levels = in.optional("levels", LEVELS.reader()).orElse(List.of());
    DomainGroups domains = new DomainGroups(levels);
    in.optional("domains", entries -> entries.each(domains::read));
    NodeGroups nodes = new NodeGroups(domains);
    in.required("nodes", entries -> entries.each(nodes::read));
    ClusterTopology.Builder topology = ClusterTopology.builder();
    topology.levels(levels.toArray(String[]::new));
    domains.domains().forEach(topology::domain);
    return topology.nodes(nodes.nodes()).build();
  }

  private static void write(JsonOutput out, ClusterTopology topology) {
    List<String> levels = topology.levels();
    out.field("levels", levels.subList(1, levels.size() - 1), List.of(), LEVELS);
    out.field("domains", topology.domains(), List.of(), DOMAINS);
    out.name("nodes");
    NodeGroups.write(out, topology.nodes());
  }
}
