package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.formats.topology.NodeDetails;
import io.github.liquidscheduler.formats.topology.ReadTopology;
import io.github.liquidscheduler.formats.topology.TopologyReader;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.text.Count;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a cluster file of what other systems tell about a cluster. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes a cluster file, for --cluster of other commands, of what another system tells.",
      "FILE is a topology.conf of Slurm (tree or block), the nodes of slurm.conf, gres.conf or"
          + " 'scontrol show nodes', the output of 'nvidia-smi topo -m' or of 'kubectl get nodes -o"
          + " json', NCCL's XML, or a CSV of nodes: Lingjun, openb, Philly. The format is told by"
          + " the text. The options below stand for what it does not tell. What is left out of it,"
          + " such as nodes that are down, is said on the standard error.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kubectl get nodes -o json > nodes.json",
      "  liquid topology convert nodes.json --output cluster.json",
      "  scontrol show nodes > nodes.txt",
      "  liquid topology convert topology.conf --nodes nodes.txt --output cluster.json",
      "  liquid topology convert topo.txt --gpu-model A100 --nic 200",
      "",
      "docs/formats.md says what is read of each."
    })
final class ConvertTopology implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "What another system tells.")
  private Path file = Path.of("");

  @Option(
      names = "--nodes",
      paramLabel = "FILE",
      description =
          "A second file, of the GPUs, CPUs and memory of the nodes; for topology.conf, which has"
              + " only their names.")
  private @Nullable Path nodes;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description = "Cluster file to write; - is the standard output (default: -).")
  private @Nullable OutputFile output;

  @Mixin private HardwareOptions hardware = new HardwareOptions();

  @Override
  public Integer call() {
    try {
      write(TopologyWarningText.print(spec, nodes == null ? file : nodes, converted()));
      return 0;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private ReadTopology converted() {
    TopologyReader reader = TopologyReader.any(hardware.hardware());
    ReadTopology topology = reader.read(file);
    return nodes == null ? topology : NodeDetails.united(topology, reader.read(nodes));
  }

  private void write(ClusterTopology topology) {
    PrintWriter out = spec.commandLine().getOut();
    String json = JsonCodecs.CLUSTER.writeIndented(topology);
    if (output == null || output.isStandardOutput()) {
      out.print(json);
    } else {
      output.writeText(out, text -> text.append(json));
      out.printf(
          "wrote %s: %s, %s%n",
          output, Count.of(topology.nodes().size(), "node"), Count.of(topology.gpuCount(), "GPU"));
    }
    out.flush();
  }
}
