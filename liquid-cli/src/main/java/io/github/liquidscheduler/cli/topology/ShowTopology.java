package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.topology.TopologyReader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a cluster topology as a tree. */
@Command(
    name = "show",
    description = {
      "Prints a cluster topology as a tree, with GPUs and link bandwidths.",
      "FILE is a topology.conf of Slurm (tree or block), the output of 'nvidia-smi topo -m', or a"
          + " CSV of hosts with the header ip,DSW,PSW,ASW."
    },
    mixinStandardHelpOptions = true)
final class ShowTopology implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "File that describes the cluster.")
  private Path file = Path.of("");

  @Option(
      names = "--levels",
      paramLabel = "N",
      defaultValue = "99",
      description = "Number of levels printed below the cluster (default: all).")
  private int levels;

  @Mixin private HardwareOptions hardware = new HardwareOptions();

  @Override
  public Integer call() {
    try {
      ClusterTopology topology = TopologyReader.any(hardware.hardware()).read(file);
      new TopologyTree(topology, levels).lines().forEach(spec.commandLine().getOut()::println);
      return 0;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
