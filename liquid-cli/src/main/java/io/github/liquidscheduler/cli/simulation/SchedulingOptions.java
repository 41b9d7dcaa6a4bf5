package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.scheduling.Placer;
import picocli.CommandLine.Option;

/** The options that choose the scheduling policy and the placement algorithm. */
public final class SchedulingOptions {

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "Scheduling policy: fifo, best-effort-fifo, priority, guaranteed-first, sjf, saf,"
              + " srtf, las or fair-share"
              + " (default: ${DEFAULT-VALUE}).")
  private String policy;

  @Option(
      names = "--placer",
      paramLabel = "PLACER",
      completionCandidates = Algorithms.PlacerNames.class,
      description =
          "Placement algorithm: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). fgd is"
              + " fragmentation gradient descent, for jobs that take shares of GPUs.")
  private String placer = "best-fit";

  /** Makes the options, with this policy unless another is chosen. */
  public SchedulingOptions(String defaultPolicy) {
    policy = defaultPolicy;
  }

  /** Returns the name of the policy. */
  public String policy() {
    return policy;
  }

  /** Returns the name of the placement algorithm. */
  public String placer() {
    return placer;
  }

  /** Returns the placement algorithm; {@code seed} is what random placement draws from. */
  public Placer newPlacer(long seed) {
    return Algorithms.placer(placer, seed);
  }
}
