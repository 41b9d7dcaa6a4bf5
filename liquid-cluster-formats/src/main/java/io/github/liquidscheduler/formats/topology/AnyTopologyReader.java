package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Token;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Recognises the format of a text by its first line that only one format has. */
record AnyTopologyReader(Hardware hardware) implements TopologyReader {

  private static final Pattern GRES_CONF =
      Pattern.compile("(?:nodename=.*\\s)?(?:name|autodetect)=.*");
  private static final Pattern NVIDIA_MATRIX =
      Pattern.compile("(?:\u001B\\[[0-9;]*m|\\s)*gpu0(?:\\s[^=]*)?");

  @Override
  public ReadTopology read(String source, List<String> lines) {
    return byText(source, lines).read(source, lines);
  }

  private TopologyReader byText(String source, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String text = line.strip().toLowerCase(Locale.ROOT);
      if (text.startsWith(LingjunTopologyReader.HEADER.toLowerCase(Locale.ROOT))) {
        return TopologyReader.lingjun(hardware);
      }
      if (line.startsWith(NodeTableReader.OPENB_HEADER)
          || line.contains(NodeTableReader.PHILLY_HEADER)) {
        return TopologyReader.nodeTable(hardware);
      }
      if (text.startsWith("{") || text.startsWith("[")) {
        return TopologyReader.kubernetes(hardware);
      }
      if (text.startsWith("<")) {
        return TopologyReader.nccl(hardware);
      }
      if (GRES_CONF.matcher(text).matches()) {
        return TopologyReader.gresConf(hardware);
      }
      if (text.startsWith("nodename=")) {
        return TopologyReader.slurmNodes(hardware);
      }
      if (text.startsWith("switchname=") || text.startsWith("block")) {
        return TopologyReader.slurm(hardware);
      }
      if (text.startsWith("- topology:")) {
        throw new Token(source, i + 1, 1, line)
            .error("a topology.yaml of Slurm is not read, but a topology.conf is");
      }
      if (NVIDIA_MATRIX.matcher(text).matches()) {
        return TopologyReader.nvidiaSmi(hardware);
      }
    }
    throw new InputFormatException(
        source
            + ": must be a topology.conf, slurm.conf, gres.conf or nodes of Slurm, the output of"
            + " 'nvidia-smi topo -m' or"
            + " 'kubectl get nodes -o json', the XML of NCCL, or a CSV file with the header '%s', '%s' or '%s', but is"
                .formatted(
                    LingjunTopologyReader.HEADER,
                    NodeTableReader.OPENB_HEADER,
                    NodeTableReader.PHILLY_HEADER)
            + " none of these");
  }
}
