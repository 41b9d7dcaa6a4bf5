package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.failure.FailureScript;
import io.github.liquidscheduler.simulator.failure.RandomFailures;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a simulation's conditions: ground truth, overheads, failures. */
public final class SimulateConditions {

  private static final String SIGMA = "sigma=";

  @Option(names = "--seed", paramLabel = "SEED", description = "Random seed (default: 0).")
  private long seed;

  @Option(
      names = "--throughputs",
      paramLabel = "FILE",
      description = "Throughputs by GPU model, as Gavel's JSON; required by Gavel traces.")
  private @Nullable Path throughputs;

  @Option(
      names = "--skip-unmeasured",
      description = "Skip jobs for which --throughputs has no speed, and print how many.")
  private boolean skipUnmeasured;

  @Option(
      names = "--duration-error",
      paramLabel = "ERROR",
      description =
          "Error of the durations given to the scheduler: exact, none (no durations are given),"
              + " limit (the time limits of the trace), or a factor such as 2, from 1 to 1000, by"
              + " which they are at most too short or too long, or sigma=0.5, the standard"
              + " deviation of their logarithm, from 0 to 5 (default: exact).")
  private String durationError = "exact";

  @Option(
      names = "--start-overhead",
      paramLabel = "TIME",
      description = "Overhead of every start (default: 0).")
  private Duration startOverhead = Duration.ZERO;

  @Option(
      names = "--resume-overhead",
      paramLabel = "TIME",
      description = "Additional overhead of a restart (default: 0).")
  private Duration resumeOverhead = Duration.ZERO;

  @Option(
      names = "--checkpoint-interval",
      paramLabel = "TIME",
      description =
          "Time between checkpoints; a failure loses the work since the last one (default: no work"
              + " is lost).")
  private @Nullable Duration checkpointInterval;

  @Option(
      names = "--failures",
      paramLabel = "FILE",
      description =
          "Failure script: CSV with the header time,event,target. Times are seconds; events are"
              + " node-lost, node-draining, node-returned, gpu-lost and gpu-returned; a target is a"
              + " node, or node:gpu.")
  private @Nullable Path failures;

  @Option(
      names = "--node-mtbf",
      paramLabel = "TIME",
      description =
          "Mean time between random failures of a node, at least 1s (default: no random"
              + " failures).")
  private @Nullable Duration nodeMtbf;

  @Option(
      names = "--node-repair",
      paramLabel = "TIME",
      description = "Repair time after a random failure (default: 1h).")
  private Duration nodeRepair = Duration.ofHours(1);

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "End of the simulation, in the time of the trace (default: the end of the last"
              + " job).")
  private @Nullable Duration until;

  @Option(names = "--strict", description = "Check all invariants after every event (slow).")
  private boolean strict;

  private @Nullable GroundTruth speed;

  /** Returns the random seed. */
  public long seed() {
    return seed;
  }

  /** Returns the launch time of a job's processes. */
  public Duration startOverhead() {
    return startOverhead;
  }

  /** Sets the conditions of a run on {@code cluster} with random numbers of its own. */
  public void apply(Simulation.Builder simulation, ClusterTopology cluster, long seed) {
    simulation.durationKnowledge(durationKnowledge(seed));
    simulation.overheads(new Overheads(startOverhead, resumeOverhead));
    simulation.speed(speed());
    if (checkpointInterval != null) {
      simulation.checkpointEvery(checkpointInterval);
    }
    if (failures != null) {
      simulation.failures(FailureScript.read(failures, cluster));
    }
    if (nodeMtbf != null) {
      simulation.randomFailures(new RandomFailures(nodeMtbf, nodeRepair, seed));
    }
    if (until != null) {
      simulation.until(until);
    }
    if (strict) {
      simulation.strict();
    }
  }

  /**
   * Returns the jobs of a trace whose speed is known.
   *
   * @throws IllegalArgumentException if that of others is not, and they are not to be skipped
   */
  public TraceSource measured(TraceSource source, ClusterTopology cluster) {
    return measured(source, "on a", (table, job) -> table.runs(job, cluster));
  }

  /**
   * Returns the jobs of a trace of which the throughputs have speeds enough; all without any.
   *
   * @param where on which GPU model of the cluster others have none, for messages
   * @throws IllegalArgumentException if there are others, and they are not to be skipped
   */
  public TraceSource measured(
      TraceSource source, String where, BiPredicate<ThroughputTable, TraceJob> isEnough) {
    if (!(speed() instanceof ThroughputTable table)) {
      return source;
    }
    Trace trace = source.held();
    Predicate<TraceJob> isMeasured = job -> isEnough.test(table, job);
    List<TraceJob> unmeasured = trace.jobs().stream().filter(isMeasured.negate()).toList();
    if (!skipUnmeasured && !unmeasured.isEmpty()) {
      TraceJob first = unmeasured.getFirst();
      throw new IllegalArgumentException(
          "%s has no speed of model '%s' on %s, for %s, %s GPU model of the cluster, nor for %d more of the %s. Skip such jobs with --skip-unmeasured"
              .formatted(
                  table.source(),
                  first.model().orElse(""),
                  Count.of(first.gpus(), "GPU"),
                  first,
                  where,
                  unmeasured.size() - 1,
                  Count.of(trace.jobs().size(), "job")));
    }
    return unmeasured.isEmpty() ? trace : trace.filtered(isMeasured);
  }

  /** Returns the ground truth of exclusive placement with sufficient resources. */
  public GroundTruth speed() {
    if (speed == null) {
      speed =
          throughputs == null ? GroundTruth.asRecorded() : ThroughputTable.readGavel(throughputs);
    }
    return speed;
  }

  private DurationKnowledge durationKnowledge(long seed) {
    return switch (durationError) {
      case "exact" -> DurationKnowledge.exact();
      case "none" -> DurationKnowledge.nothing();
      case "limit" -> DurationKnowledge.limits();
      default ->
          durationError.startsWith(SIGMA)
              ? DurationKnowledge.logNormal(number(durationError.substring(SIGMA.length())), seed)
              : DurationKnowledge.within(number(durationError), seed);
    };
  }

  private double number(String how) {
    try {
      return Double.parseDouble(how);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--duration-error must be exact, none, limit, a factor or sigma= and a number, but was '"
              + durationError
              + "'",
          e);
    }
  }
}
