package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.DurationKnowledge;
import io.github.liquidscheduler.simulator.Overheads;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.failure.FailureScript;
import io.github.liquidscheduler.simulator.failure.RandomFailures;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of what happens in a simulation besides jobs coming and ending. */
final class SimulateConditions {

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "What all random draws start from (default: 0).")
  private @Nullable Long seed;

  @Option(
      names = "--throughputs",
      paramLabel = "FILE",
      description = "Speeds of jobs on GPU models, as Gavel's JSON. Gavel traces need it.")
  private @Nullable Path throughputs;

  @Option(
      names = "--known-durations",
      paramLabel = "HOW",
      description =
          "What the scheduler is told of durations: exact, none, or a factor such as 2 by which"
              + " they may be wrong either way (default: exact).")
  private @Nullable String knownDurations;

  @Option(
      names = "--start-overhead",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "What every start costs (default: 0).")
  private @Nullable Duration startOverhead;

  @Option(
      names = "--resume-overhead",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "What starting again costs on top (default: 0).")
  private @Nullable Duration resumeOverhead;

  @Option(
      names = "--checkpoint-interval",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "A failure loses what was done since the last checkpoint (default: nothing).")
  private @Nullable Duration checkpointInterval;

  @Option(
      names = "--failures",
      paramLabel = "FILE",
      description =
          "What fails when, as CSV with the header time,event,target: seconds; node-lost,"
              + " node-draining, node-returned, gpu-lost or gpu-returned; a node, or node:gpu.")
  private @Nullable Path failures;

  @Option(
      names = "--node-mtbf",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "Let nodes fail at random, each once in this time on average.")
  private @Nullable Duration nodeMtbf;

  @Option(
      names = "--node-repair",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "For how long they are gone then (default: 1h).")
  private @Nullable Duration nodeRepair;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "End the simulation at this time of the trace.")
  private @Nullable Duration until;

  @Option(names = "--strict", description = "Check all invariants after every event. Slow.")
  private boolean strict;

  long seed() {
    return Objects.requireNonNullElse(seed, 0L);
  }

  void apply(Simulation.Builder simulation, ClusterTopology cluster) {
    simulation.disclosure(disclosure());
    simulation.overheads(new Overheads(orZero(startOverhead), orZero(resumeOverhead)));
    simulation.speed(speed());
    if (checkpointInterval != null) {
      simulation.checkpointEvery(checkpointInterval);
    }
    if (failures != null) {
      simulation.failures(FailureScript.read(failures, cluster));
    }
    if (nodeMtbf != null) {
      Duration repair = Objects.requireNonNullElse(nodeRepair, Duration.ofHours(1));
      simulation.randomFailures(new RandomFailures(nodeMtbf, repair, seed()));
    }
    if (until != null) {
      simulation.until(until);
    }
    if (strict) {
      simulation.strict();
    }
  }

  /** Returns how fast jobs are alone, with all that they need. */
  GroundTruth speed() {
    return throughputs == null ? GroundTruth.asRecorded() : ThroughputTable.readGavel(throughputs);
  }

  /** Complains if any but the seed was set, since a reference simulator knows none of them. */
  void refuseAny(CommandSpec spec) {
    boolean any =
        strict
            || Stream.of(
                    throughputs,
                    knownDurations,
                    startOverhead,
                    resumeOverhead,
                    checkpointInterval,
                    failures,
                    nodeMtbf,
                    nodeRepair,
                    until)
                .anyMatch(Objects::nonNull);
    if (any) {
      throw new ParameterException(
          spec.commandLine(), "a reference simulator knows none of the options of what happens");
    }
  }

  private DurationKnowledge disclosure() {
    String how = Objects.requireNonNullElse(knownDurations, "exact");
    return switch (how) {
      case "exact" -> DurationKnowledge.exact();
      case "none" -> DurationKnowledge.nothing();
      default -> DurationKnowledge.within(factor(how), seed());
    };
  }

  private static double factor(String how) {
    try {
      return Double.parseDouble(how);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--known-durations must be exact, none or a factor, but was '" + how + "'", e);
    }
  }

  private static Duration orZero(@Nullable Duration time) {
    return Objects.requireNonNullElse(time, Duration.ZERO);
  }
}
