package io.github.liquidscheduler.lab.reference.lucid;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.lab.reference.ReferenceRun;
import io.github.liquidscheduler.simulator.metrics.RunDigest;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.util.List;
import java.util.Objects;

/**
 * The baselines of the simulator of Lucid (Hu et al., ASPLOS 2023), with consolidated placement. It
 * gives the same numbers as the original, job by job. A job that is stopped has 40 s more to do, or
 * 60 s with more than 8 GPUs. Immutable.
 */
public final class LucidSimulator {

  private static final int GPUS_PER_NODE = 8;

  private final int nodes;
  private final LucidPolicy policy;

  private LucidSimulator(int nodes, LucidPolicy policy) {
    this.nodes = nodes;
    this.policy = policy;
  }

  /**
   * Returns a simulator of the nodes of {@code cluster}, whatever is above them.
   *
   * @throws IllegalArgumentException if a node has not 8 GPUs, as in the original
   */
  public static LucidSimulator of(ClusterTopology cluster, LucidPolicy policy) {
    for (Node node : cluster.nodes()) {
      if (node.gpus().size() != GPUS_PER_NODE) {
        throw new IllegalArgumentException(
            "Lucid's simulator needs nodes of %d GPUs, but '%s' has %d"
                .formatted(GPUS_PER_NODE, node.id(), node.gpus().size()));
      }
    }
    return new LucidSimulator(cluster.nodes().size(), Objects.requireNonNull(policy, "policy"));
  }

  /**
   * Runs all jobs of {@code trace} to their end.
   *
   * @throws IllegalArgumentException if a job requests more GPUs than there are, has no duration,
   *     or has a submission or duration that is not whole seconds
   */
  public ReferenceRun run(Trace trace) {
    List<LucidJob> jobs = trace.jobs().stream().map(job -> fitting(trace, job)).toList();
    ConsolidatedNodes free = new ConsolidatedNodes(nodes, GPUS_PER_NODE);
    RunDigest digest = new RunDigest();
    new LucidSimulation(free, policy, jobs, digest).run();
    return new ReferenceRun(
        policy.policyName(),
        free.gpus(),
        jobs.stream().map(LucidJob::outcome).toList(),
        digest.hexadecimal());
  }

  private LucidJob fitting(Trace trace, TraceJob job) {
    if (job.gpus() > nodes * GPUS_PER_NODE) {
      throw new IllegalArgumentException(
          "a job must fit into the cluster of %s of %d GPUs, but asked for %d, for %s of %s"
              .formatted(Count.of(nodes, "node"), GPUS_PER_NODE, job.gpus(), job, trace.source()));
    }
    return new LucidJob(job);
  }
}
