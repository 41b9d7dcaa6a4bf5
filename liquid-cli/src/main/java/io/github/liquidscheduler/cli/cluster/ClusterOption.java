package io.github.liquidscheduler.cli.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that names the cluster to decide for. */
public final class ClusterOption {

  @Option(
      names = "--cluster",
      required = true,
      paramLabel = "CLUSTER",
      converter = ClusterArgument.class,
      description =
          "JSON file of a cluster, or a shorthand: 3x4xP100 is 3 nodes of 4 P100 GPUs each.")
  private @Nullable ClusterTopology cluster;

  /** Returns the cluster. */
  public ClusterTopology get() {
    return Objects.requireNonNull(cluster, "cluster");
  }

  /** Returns the cluster as named on the command line. */
  public static String asGiven(CommandSpec spec) {
    return spec.commandLine()
        .getParseResult()
        .matchedOption("--cluster")
        .originalStringValues()
        .get(0);
  }
}
