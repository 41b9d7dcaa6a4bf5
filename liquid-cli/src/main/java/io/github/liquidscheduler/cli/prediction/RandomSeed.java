package io.github.liquidscheduler.cli.prediction;

import picocli.CommandLine.Option;

/** The option of a random seed. */
public final class RandomSeed {
  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Random seed (default: ${DEFAULT-VALUE}).")
  private long seed;

  public long seed() {
    return seed;
  }
}
