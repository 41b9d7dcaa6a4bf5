package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.NodePlaces;
import io.github.liquidscheduler.formats.input.Token;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.formats.slurm.SlurmEntries;
import io.github.liquidscheduler.formats.slurm.SlurmEntries.Entry;
import java.util.List;

/**
 * Reads {@code topology.conf} of Slurm: {@code topology/tree}, where switches hold nodes or other
 * switches, and {@code topology/block}, where blocks hold nodes. {@code LinkSpeed} is passed over,
 * as Slurm does, for it has no unit.
 */
record SlurmTopologyReader(Hardware hardware) implements TopologyReader {

  @Override
  public ReadTopology read(String source, List<String> lines) {
    List<Entry> entries = SlurmEntries.of(source, lines);
    if (entries.isEmpty()) {
      throw new InputFormatException(source + ": must have at least one entry, but has none");
    }
    boolean hasSwitches = entries.stream().anyMatch(entry -> entry.has("SwitchName"));
    boolean hasBlocks = entries.stream().anyMatch(entry -> entry.has("BlockName"));
    if (hasSwitches == hasBlocks) {
      throw new InputFormatException(
          source
              + ": must have entries of SwitchName or of BlockName, but has "
              + (hasSwitches ? "both" : "neither"));
    }
    ClusterTopology cluster =
        hasSwitches
            ? new SlurmTree(hardware).topology(entries)
            : new SlurmBlocks(hardware).topology(entries);
    return new ReadTopology(cluster, List.of());
  }

  /** Adds the nodes of a list to a domain. */
  static void addNodes(
      ClusterTopology.Builder cluster,
      Hardware hardware,
      Token list,
      Domain domain,
      NodePlaces places) {
    for (Token name : HostList.expand(list)) {
      places.add(name);
      cluster.node(hardware.node(name.text()).domain(domain.id().value()).build());
    }
  }
}
