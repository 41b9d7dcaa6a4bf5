package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.text.Count;
import java.util.List;
import java.util.Objects;

/**
 * A simulator of elastic jobs on a cluster that is nothing but a number of GPUs: no placement and
 * no interference. A job progresses at the throughput of its size; a change of size may pause it.
 * Plans are made when jobs arrive, end or leave a queue. Immutable.
 */
public final class ElasticSimulator {

  private final int gpus;
  private final ElasticPolicy policy;
  private final ScalingCost cost;

  private ElasticSimulator(int gpus, ElasticPolicy policy, ScalingCost cost) {
    this.gpus = gpus;
    this.policy = policy;
    this.cost = cost;
  }

  /**
   * Returns a simulator of a cluster of {@code gpus} GPUs.
   *
   * @throws IllegalArgumentException if {@code gpus} is less than 1
   */
  public static ElasticSimulator of(int gpus, ElasticPolicy policy, ScalingCost cost) {
    if (gpus < 1) {
      throw new IllegalArgumentException("a cluster must have at least 1 GPU, but had " + gpus);
    }
    return new ElasticSimulator(
        gpus, Objects.requireNonNull(policy, "policy"), Objects.requireNonNull(cost, "cost"));
  }

  /**
   * Runs all jobs of {@code trace} to their end.
   *
   * @throws IllegalArgumentException if a job's size or minimum is larger than the cluster, or the
   *     policy leaves jobs without GPUs for ever
   */
  public ElasticRun run(ElasticTrace trace) {
    trace.jobs().forEach(this::requireFit);
    List<ElasticJobState> jobs = trace.jobs().stream().map(ElasticJobState::new).toList();
    ElasticSimulation simulation = new ElasticSimulation(gpus, policy, cost, jobs);
    return simulation.run();
  }

  private void requireFit(ElasticJob job) {
    int needed = Math.max(job.sizes().submitted(), job.sizes().minimum());
    if (needed > gpus) {
      throw new IllegalArgumentException(
          "a job must fit into the cluster of %s, but job %d needs %d"
              .formatted(Count.of(gpus, "GPU"), job.id(), needed));
    }
  }
}
