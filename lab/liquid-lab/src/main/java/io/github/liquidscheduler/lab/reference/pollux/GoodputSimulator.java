package io.github.liquidscheduler.lab.reference.pollux;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A simulator of elastic training jobs as in the Pollux artefact: time goes in steps of a minute,
 * after each of which the policy decides. Arrivals and ends between are seen at the next step.
 * Immutable.
 */
public final class GoodputSimulator {

  private static final int STEP_SECONDS = 60;

  /** No training is as long; a policy that lets jobs starve must not run for ever. */
  private static final long LATEST = 365L * 86_400;

  private final GoodputCluster cluster;
  private final GoodputPolicies policy;
  private final double interference;

  private GoodputSimulator(GoodputCluster cluster, GoodputPolicies policy, double interference) {
    this.cluster = cluster;
    this.policy = policy;
    this.interference = interference;
  }

  /** Returns a simulator in which jobs do not slow each other down. */
  public static GoodputSimulator of(GoodputCluster cluster, GoodputPolicies policy) {
    return new GoodputSimulator(
        Objects.requireNonNull(cluster, "cluster"), Objects.requireNonNull(policy, "policy"), 0);
  }

  /**
   * Returns a simulator in which distributed jobs that share a node lose this fraction of their
   * speed.
   *
   * @throws IllegalArgumentException if it is not from 0 to below 1
   */
  public GoodputSimulator withInterference(double fraction) {
    if (!(fraction >= 0 && fraction < 1)) {
      throw new IllegalArgumentException(
          "interference must be from 0 to below 1, but was " + fraction);
    }
    return new GoodputSimulator(cluster, policy, fraction);
  }

  /**
   * Runs all jobs to their end.
   *
   * @throws IllegalArgumentException if there is no job, or the policy lets one starve
   */
  public GoodputRun run(List<GoodputJob> workload) {
    if (workload.isEmpty()) {
      throw new IllegalArgumentException("a workload must have at least one job");
    }
    return new GoodputRun(policy, run(workload, policy.policy(cluster)));
  }

  /** Runs all jobs with a policy that is not named. */
  List<CompletedJob> run(List<GoodputJob> workload, GoodputPolicy decider) {
    List<GoodputProgress> jobs =
        workload.stream().map(job -> new GoodputProgress(job, decider.adaptsBatchSizes())).toList();
    for (long now = STEP_SECONDS; !jobs.stream().allMatch(GoodputProgress::isCompleted); ) {
      pass(jobs, now - STEP_SECONDS);
      decide(decider, jobs, now);
      now += STEP_SECONDS;
      if (now > LATEST) {
        throw new IllegalArgumentException(
            "a policy must let every job end, but %s did not".formatted(policy));
      }
    }
    return jobs.stream().map(GoodputSimulator::completed).toList();
  }

  private void pass(List<GoodputProgress> jobs, long from) {
    int[] distributed = new int[cluster.nodes()];
    running(jobs).forEach((job, held) -> count(held, distributed));
    for (GoodputProgress job : jobs) {
      job.pass(from, STEP_SECONDS, isDisturbed(job, distributed) ? interference : 0);
    }
  }

  private static void count(NodeAllocation held, int[] distributed) {
    if (held.isDistributed()) {
      held.parts().forEach(part -> distributed[part.node()]++);
    }
  }

  private static boolean isDisturbed(GoodputProgress job, int[] distributed) {
    NodeAllocation held = job.allocation();
    return held != null
        && held.isDistributed()
        && held.parts().stream().anyMatch(part -> distributed[part.node()] > 1);
  }

  private static Map<GoodputProgress, NodeAllocation> running(List<GoodputProgress> jobs) {
    Map<GoodputProgress, NodeAllocation> running = new LinkedHashMap<>();
    for (GoodputProgress job : jobs) {
      NodeAllocation held = job.allocation();
      if (held != null && !job.isCompleted()) {
        running.put(job, held);
      }
    }
    return running;
  }

  private void decide(GoodputPolicy decider, List<GoodputProgress> jobs, long now) {
    List<GoodputProgress> present =
        jobs.stream().filter(job -> job.job().arrival() <= now && !job.isCompleted()).toList();
    if (present.isEmpty()) {
      return;
    }
    Map<GoodputProgress, NodeAllocation> allocations = decider.allocate(present, now);
    for (GoodputProgress job : present) {
      NodeAllocation next = allocations.get(job);
      if (!Objects.equals(next, job.allocation())) {
        job.reallocate(next);
      }
    }
  }

  private static CompletedJob completed(GoodputProgress job) {
    return new CompletedJob(
        job.job(), job.completion().orElseThrow(), job.gpuSeconds(), job.restarts());
  }
}
