package io.github.liquidscheduler.benchmarks.batch;

/**
 * How large an instance is.
 *
 * @param name its name
 * @param nodes nodes of 8 GPUs
 * @param nodesPerRack nodes in a rack; the last rack may have fewer
 * @param jobs jobs to place
 */
record InstanceSize(String name, int nodes, int nodesPerRack, int jobs) {

  static InstanceSize of(String name) {
    return switch (name) {
      case "T" -> new InstanceSize(name, 8, 4, 20);
      case "V" -> new InstanceSize(name, 12, 4, 35);
      case "U" -> new InstanceSize(name, 16, 4, 50);
      case "S" -> new InstanceSize(name, 64, 8, 200);
      case "M" -> new InstanceSize(name, 1000, 32, 2000);
      case "L" -> new InstanceSize(name, 5000, 32, 5000);
      default ->
          throw new IllegalArgumentException(
              "a size must be one of T, V, U, S, M, L, but was '" + name + "'");
    };
  }
}
