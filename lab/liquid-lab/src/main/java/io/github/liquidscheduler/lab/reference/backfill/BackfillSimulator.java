package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.lab.reference.WholeSeconds;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.simulator.metrics.RunDigest;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

/**
 * A simulator of backfill on equal nodes, with or without racks, in whole seconds and without
 * pre-emption. A job that one node can hold goes on one; a larger one takes whole nodes, of one
 * rack if a rack can hold it. Jobs are in the order of their submission, then of their ids.
 *
 * <p>Lengths are predicted at submission and then fixed. A job is not stopped at its predicted end:
 * there it is predicted to take twice its time so far. Immutable.
 */
public final class BackfillSimulator {

  private final String policy;
  private final BackfillRule rule;
  private final NodeRacks cluster;
  private final ToLongFunction<TraceJob> prediction;

  private BackfillSimulator(
      String policy, BackfillRule rule, NodeRacks cluster, ToLongFunction<TraceJob> prediction) {
    this.policy = policy;
    this.rule = rule;
    this.cluster = cluster;
    this.prediction = prediction;
  }

  /**
   * Returns a simulator that knows how long jobs run.
   *
   * @param cluster nodes of one GPU each are counted only; the domains of the narrowest level above
   *     nodes are the racks
   * @param reservations how many waiting jobs hold one under {@link BackfillPolicy#EASY}; 1 if
   *     empty
   * @throws IllegalArgumentException if nodes or racks differ in size, or the reservations are less
   *     than 1 or for another policy
   */
  public static BackfillSimulator of(
      ClusterTopology cluster, BackfillPolicy policy, OptionalInt reservations) {
    return of(BackfillCluster.of(cluster), policy, reservations);
  }

  static BackfillSimulator of(NodeRacks cluster, BackfillPolicy policy, OptionalInt reservations) {
    return new BackfillSimulator(
        policy.policyName(), policy.rule(reservations), cluster, WholeSeconds::duration);
  }

  /**
   * Returns the same simulator with other predictions.
   *
   * @param prediction how many seconds a job is predicted to run when it is submitted, at least 1
   */
  public BackfillSimulator withPrediction(ToLongFunction<TraceJob> prediction) {
    Objects.requireNonNull(prediction, "prediction");
    return new BackfillSimulator(policy, rule, cluster, prediction);
  }

  /**
   * Runs all jobs of {@code trace} to their end.
   *
   * @throws IllegalArgumentException if a job does not fit into the cluster, has no duration or one
   *     of less than a second, or has times that are not whole seconds
   */
  public BackfillRun run(Trace trace) {
    trace.jobs().forEach(job -> requireFit(trace, job));
    List<BackfillJob> jobs =
        trace.jobs().stream()
            .map(job -> new BackfillJob(job, prediction.applyAsLong(job)))
            .toList();
    RunDigest digest = new RunDigest();
    new BackfillSimulation(
            new BackfillSchedule<>(new NodeTimeline(cluster)),
            rule,
            digest,
            jobs.stream().sorted(BackfillJob.ORDER).toList())
        .run();
    return BackfillRun.of(policy, cluster.gpus(), jobs, digest.hexadecimal());
  }

  private void requireFit(Trace trace, TraceJob job) {
    if (cluster.nodesFor(job.gpus()) > cluster.nodes()) {
      throw new IllegalArgumentException(
          "a job must fit into the cluster of %s of %s, but asked for %d, for %s of %s"
              .formatted(
                  Count.of(cluster.nodes(), "node"),
                  Count.of(cluster.gpusPerNode(), "GPU"),
                  job.gpus(),
                  job,
                  trace.source()));
    }
  }
}
