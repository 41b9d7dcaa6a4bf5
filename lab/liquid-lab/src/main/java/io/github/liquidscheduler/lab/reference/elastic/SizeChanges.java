package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.simulator.metrics.RunDigest;
import java.util.List;

/** Applies plans to jobs, and counts and records what changes. Mutable. */
final class SizeChanges {

  private final ScalingCost cost;
  private final RunDigest digest = new RunDigest();
  private long resizes;
  private long starts;
  private long preemptions;

  SizeChanges(ScalingCost cost) {
    this.cost = cost;
  }

  void apply(List<ElasticJobState> jobs, int[] sizes, double now) {
    for (int i = 0; i < sizes.length; i++) {
      ElasticJobState job = jobs.get(i);
      if (sizes[i] != job.size()) {
        change(job, sizes[i], now);
      }
    }
  }

  void end(ElasticJobState job, double now) {
    record(job, "finish", now);
    job.finish(now);
  }

  ElasticRun run(String policy, int gpus, List<ElasticJobState> jobs) {
    return new ElasticRun(
        policy,
        gpus,
        jobs.stream().map(FinishedJob::of).toList(),
        new ElasticRun.Counts(resizes, starts, preemptions),
        digest.hexadecimal());
  }

  private void change(ElasticJobState job, int size, double now) {
    record(job, "size " + size, now);
    if (size == 0) {
      preemptions++;
      job.preempt();
      return;
    }
    if (job.isRunning()) {
      resizes++;
    } else {
      starts++;
    }
    job.resize(size, cost.seconds(job, size), now);
  }

  private void record(ElasticJobState job, String what, double now) {
    digest.add(now + " " + what + " " + job.job().id());
  }
}
