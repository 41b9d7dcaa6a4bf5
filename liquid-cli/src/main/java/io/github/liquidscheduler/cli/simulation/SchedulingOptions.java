package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.BaselinePlacers;
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
      description = {
        "Placement algorithm: best-fit, least-cost or fgd (fragmentation gradient descent, where"
            + " jobs take shares of GPUs);",
        "baselines: random, even-spread, least-allocated, pack, buddy-cells, liquid;",
        "co-location, for jobs that may share GPUs: share-first-fit, share-liquid, share-gandiva,"
            + " share-antman, share-lucid (default: ${DEFAULT-VALUE})."
      })
  private String placer = "best-fit";

  /** Makes the options, with this policy unless another is chosen. */
  public SchedulingOptions(String defaultPolicy) {
    policy = defaultPolicy;
  }

  /** Returns the name of the policy; a reference simulator has names of its own. */
  public String policy() {
    return policy;
  }

  /** Returns the name of the placement algorithm. */
  public String placer() {
    return placer;
  }

  /** Returns the placement algorithm; {@code seed} is what random placement draws from. */
  public Placer newPlacer(long seed) {
    return BaselinePlacers.named(placer, seed);
  }
}
