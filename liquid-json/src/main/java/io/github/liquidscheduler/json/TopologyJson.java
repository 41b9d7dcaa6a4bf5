package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.List;

/** The JSON form of a cluster: the cluster file. */
final class TopologyJson {

  private TopologyJson() {}

  static ClusterTopology read(JsonValue in) {
    return in.object(
        fields -> {
          List<String> levels = fields.list("levels", JsonValue::text);
          DomainGroups domains = new DomainGroups(levels);
          fields.optional("domains", entries -> entries.each(domains::read));
          NodeGroups nodes = new NodeGroups(domains);
          fields.required("nodes", entries -> entries.each(nodes::read));
          ClusterTopology.Builder topology = ClusterTopology.builder();
          topology.levels(levels.toArray(String[]::new));
          domains.domains().forEach(topology::domain);
          return topology.nodes(nodes.nodes()).build();
        });
  }

  static void write(JsonOutput out, ClusterTopology topology) {
    List<String> levels = topology.levels();
    out.object(
        () -> {
          out.list("levels", levels.subList(1, levels.size() - 1), JsonOutput::text);
          out.list("domains", topology.domains(), DomainGroups::write);
          out.field("nodes", topology.nodes(), NodeGroups::write);
        });
  }
}
