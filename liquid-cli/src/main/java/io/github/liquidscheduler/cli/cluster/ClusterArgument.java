package io.github.liquidscheduler.cli.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A cluster on the command line: a JSON file, or a shorthand such as {@code 64x8xV100}. Nodes of a
 * shorthand are children of the cluster, with unlimited CPU, memory and network.
 */
public final class ClusterArgument implements ITypeConverter<ClusterTopology> {

  /** Device memory of common models, in GiB; that of other models is unlimited. */
  private static final Map<String, Integer> GPU_MEMORY_GIB =
      Map.ofEntries(
          Map.entry("K80", 12),
          Map.entry("P100", 16),
          Map.entry("V100", 16),
          Map.entry("T4", 16),
          Map.entry("A100", 40),
          Map.entry("A100-80GB", 80),
          Map.entry("H100", 80),
          Map.entry("H200", 141));

  private static final Pattern SHORTHAND = Pattern.compile("[0-9]+x.*");

  @Override
  public ClusterTopology convert(String value) {
    try {
      return isFile(value)
          ? JsonCodecs.CLUSTER.read(Path.of(value))
          : topology(ClusterShorthand.parse(value));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** Returns true if a text is a shorthand, or names a file of JSON. */
  public static boolean isCluster(String value) {
    return value.endsWith(".json") || (SHORTHAND.matcher(value).matches() && !isFile(value));
  }

  private static boolean isFile(String value) {
    try {
      return value.endsWith(".json") || Files.exists(Path.of(value));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static ClusterTopology topology(ClusterShorthand shorthand) {
    ClusterTopology.Builder builder = ClusterTopology.builder();
    int number = 0;
    for (ClusterShorthand.Group group : shorthand.groups()) {
      Integer gib = GPU_MEMORY_GIB.get(group.model());
      Memory memory = gib == null ? new Memory(Long.MAX_VALUE) : Memory.ofGib(gib);
      for (int i = 0; i < group.nodes(); i++) {
        builder.node(
            Node.builder("node-" + number++)
                .gpus(group.gpusPerNode(), GpuModel.of(group.model()), memory)
                .build());
      }
    }
    return builder.build();
  }
}
