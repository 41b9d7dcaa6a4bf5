package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.benchmarks.Machine;
import picocli.CommandLine.Option;

/** How large what is timed is: options that the benchmarks of events share. */
final class BenchSize {

  @Option(
      names = "--nodes",
      paramLabel = "NODES",
      defaultValue = "5000",
      description = "Nodes of 8 GPUs (default: ${DEFAULT-VALUE}).")
  int nodes;

  @Option(
      names = "--rounds",
      paramLabel = "ROUNDS",
      defaultValue = "1000",
      description = "Rounds of events that count (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "ROUNDS",
      defaultValue = "300",
      description = "Rounds before them (default: ${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "7",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  long seed;

  /** Prints on what is measured, and what the columns are. */
  static void printHead() {
    System.out.println("Machine: " + Machine.describe());
    Timings.printHead();
  }
}
