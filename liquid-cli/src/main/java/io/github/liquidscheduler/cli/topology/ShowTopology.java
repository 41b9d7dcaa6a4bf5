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

/** Prints the tree of a cluster with capacities. */
@Command(
    name = "show",
    description = {
      "Prints the tree of a cluster with capacities.",
      "FILE is a topology.conf of Slurm (tree or block), the output of 'nvidia-smi topo -m', or a"
          + " CSV file of hosts with the header ip,DSW,PSW,ASW."
    },
    mixinStandardHelpOptions = true)
final class ShowTopology implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The file that describes the cluster.")
  private Path file = Path.of("");

  @Option(
      names = "--levels",
      defaultValue = "99",
      description = "How many levels to print below the cluster. Default: all")
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
