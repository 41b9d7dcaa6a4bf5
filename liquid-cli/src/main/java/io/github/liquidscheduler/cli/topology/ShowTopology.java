package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cli.cluster.ClusterArgument;
import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.cluster.ClusterTopology;
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
import picocli.CommandLine.TypeConversionException;

/** Prints a cluster topology as a tree. */
@Command(
    name = "show",
    description = {
      "Prints a cluster topology as a tree, with GPUs and link bandwidths.",
      "CLUSTER is a JSON file of a cluster, a shorthand such as 3x4xP100, or what 'liquid topology"
          + " convert' reads. The options below stand for what that does not tell."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  liquid topology show 3x4xP100",
      "  liquid topology show topology.conf --gpus 8 --gpu-model A100 --nic 200",
      "  liquid topology show topology.conf --gpu-model A100 --json cluster.json",
      "  liquid place --cluster cluster.json --jobs jobs.json"
    })
final class ShowTopology implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "CLUSTER", description = "File or shorthand of the cluster.")
  private String cluster = "";

  @Option(
      names = "--levels",
      paramLabel = "LEVELS",
      defaultValue = "99",
      description = "Number of levels printed below the cluster, at least 0 (default: all).")
  private int levels;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = OutputFile.Converter.class,
      description =
          "Write the cluster as JSON instead, for --cluster of other commands; - is the standard"
              + " output.")
  private @Nullable OutputFile json;

  @Mixin private HardwareOptions hardware = new HardwareOptions();

  @Override
  public Integer call() {
    try {
      show(
          ClusterArgument.isCluster(cluster)
              ? new ClusterArgument().convert(cluster)
              : read(Path.of(cluster)));
      return 0;
    } catch (IllegalArgumentException | ArithmeticException | TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private ClusterTopology read(Path file) {
    ReadTopology read = TopologyReader.any(hardware.hardware()).read(file);
    return TopologyWarningText.print(spec, file, read);
  }

  private void show(ClusterTopology topology) {
    PrintWriter out = spec.commandLine().getOut();
    if (json == null) {
      new TopologyTree(topology, levels).lines().forEach(out::println);
      return;
    }
    json.writeText(out, text -> text.append(JsonCodecs.CLUSTER.writeIndented(topology)));
    if (!json.isStandardOutput()) {
      out.printf("wrote %s: %s%n", json, Count.of(topology.nodes().size(), "node"));
    }
    out.flush();
  }
}
