package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;

/** Settings in which one thing is large. */
final class Scenarios {

  private static final int NODES = 20_000;
  private static final int GPUS = 8;
  private static final int LOST = 400;
  private static final int COPIES = 200;

  private Scenarios() {}

  /** Loses nodes among as many running jobs as the cluster has GPUs. */
  static void loseNodes() {
    Timings timings = new Timings();
    Driver driver = driver(DistinctJobs.cluster(NODES), timings);
    for (int i = 0; i < NODES * GPUS; i++) {
      JobSpec job = JobSpec.builder("job-" + i).gpus(1).build();
      driver.on("submit", at -> new ClusterEvent.JobSubmitted(at, job));
    }
    int running = driver.running();
    for (int i = 0; i < 2 * LOST; i++) {
      if (i == LOST) {
        timings.clear();
      }
      NodeId node = NodeId.of("n" + i * (NODES / (2 * LOST)));
      driver.on("node lost", at -> new ClusterEvent.NodeLost(at, node));
      driver.on("node returned", at -> new ClusterEvent.NodeReturned(at, node));
    }
    timings.print(running + " running");
  }

  /** Copies a scheduler that remembers so many jobs that are over. */
  static void copyAfter(int ended) {
    Timings timings = new Timings();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(DistinctJobs.cluster(1)).policy(Policies.bestEffortFifo()).build();
    for (int i = 0; i < ended + 2 * COPIES; i++) {
      JobSpec job = JobSpec.builder("job-" + i).gpus(1).build();
      Instant at = Instant.ofEpochSecond(i);
      scheduler.on(new ClusterEvent.JobSubmitted(at, job));
      scheduler.on(new ClusterEvent.JobFinished(at, JobId.of("job-" + i)));
      if (i >= ended) {
        timings.time(i == ended ? "first copy" : "copy", scheduler::copy);
      }
    }
    timings.print(ended + " ended");
  }

  private static Driver driver(ClusterTopology cluster, Timings timings) {
    return new Driver(
        LiquidScheduler.builder(cluster).policy(Policies.bestEffortFifo()).build(), timings, 0);
  }
}
