package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.simulator.metrics.RunDigest;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.util.List;
import java.util.Objects;

/**
 * The simulator of Tiresias (Gu et al., NSDI 2019) in its "count" scheme, where a cluster is
 * nothing but a number of GPUs: jobs go anywhere, stopping them is free, and time is whole seconds.
 * It gives the same numbers as the original, job by job. Immutable.
 */
public final class TiresiasSimulator {

  private final int gpus;
  private final TiresiasPolicy policy;

  private TiresiasSimulator(int gpus, TiresiasPolicy policy) {
    this.gpus = gpus;
    this.policy = policy;
  }

  /**
   * Returns a simulator of a cluster of {@code gpus} GPUs under {@code policy}.
   *
   * @throws IllegalArgumentException if {@code gpus} is less than 1
   */
  public static TiresiasSimulator of(int gpus, TiresiasPolicy policy) {
    if (gpus < 1) {
      throw new IllegalArgumentException("a cluster must have at least 1 GPU, but had " + gpus);
    }
    return new TiresiasSimulator(gpus, Objects.requireNonNull(policy, "policy"));
  }

  /**
   * Runs all jobs of {@code trace} to their end.
   *
   * @throws IllegalArgumentException if a job requests more GPUs than there are, has no duration,
   *     or has a submission or duration that is not whole seconds
   */
  public ReferenceRun run(Trace trace) {
    List<CountedJob> jobs = trace.jobs().stream().map(job -> counted(trace, job)).toList();
    RunDigest digest = new RunDigest();
    run(jobs, new DigestObserver(digest));
    return new ReferenceRun(
        policy.name(), gpus, jobs.stream().map(CountedJob::outcome).toList(), digest.hexadecimal());
  }

  void run(List<CountedJob> jobs, RunObserver observer) {
    new CountSimulation(gpus, policy.start(), jobs, observer).run();
  }

  private CountedJob counted(Trace trace, TraceJob job) {
    if (job.gpus() > gpus) {
      throw new IllegalArgumentException(
          "a job must fit into the cluster of %s, but asked for %d, for %s of %s"
              .formatted(Count.of(gpus, "GPU"), job.gpus(), job, trace.source()));
    }
    return new CountedJob(job);
  }
}
