package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.formats.topology.ReadTopology;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/** Says on the standard error what a cluster does not have of its file. */
final class TopologyWarningText {

  private TopologyWarningText() {}

  /** Prints a line for each warning, and returns the cluster. */
  static ClusterTopology print(CommandSpec spec, Path file, ReadTopology read) {
    PrintWriter errors = spec.commandLine().getErr();
    read.warnings().forEach(warning -> errors.printf("%s: %s%n", file, warning));
    errors.flush();
    return read.cluster();
  }
}
