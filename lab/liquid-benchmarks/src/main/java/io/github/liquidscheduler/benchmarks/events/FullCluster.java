package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A cluster all of whose GPUs are busy, on which many jobs wait, each of a shape of its own. */
final class FullCluster {

  private final ClusterTopology cluster;
  private final DistinctJobs shapes;
  private final Timings timings;
  private final Driver driver;
  private final int waiting;
  private final UnaryOperator<JobSpec> changed;

  FullCluster(LiquidScheduler scheduler, DistinctJobs shapes, int waiting, long seed) {
    this(scheduler, shapes, waiting, seed, job -> job);
    fill();
  }

  /** Makes a cluster whose queues stand in a tree, and fills it. */
  FullCluster(LiquidScheduler scheduler, Together setting, int waiting, long seed) {
    this(scheduler, new DistinctJobs(seed), waiting, seed, setting::changed);
    driver.on("tree", at -> new ClusterEvent.QueuesChanged(at, setting.tree()));
    fill();
  }

  private FullCluster(
      LiquidScheduler scheduler,
      DistinctJobs shapes,
      int waiting,
      long seed,
      UnaryOperator<JobSpec> changed) {
    this.waiting = waiting;
    this.shapes = shapes;
    this.changed = changed;
    cluster = scheduler.view().topology();
    timings = new Timings();
    driver = new Driver(scheduler, timings, seed);
  }

  /** Fills most of the cluster with jobs of all shapes, the rest with such that always fit. */
  private void fill() {
    for (int i = 0; i < cluster.nodes().size(); i++) {
      submit();
    }
    for (int left = free(); left > 0; left--) {
      driver.on("fill", at -> new ClusterEvent.JobSubmitted(at, changed.apply(shapes.filler(1))));
    }
    refill();
  }

  private void refill() {
    while (driver.waiting() < waiting) {
      submit();
    }
  }

  private void submit() {
    driver.on("submit", at -> new ClusterEvent.JobSubmitted(at, changed.apply(shapes.next())));
  }

  private int free() {
    return cluster.nodes().stream()
        .mapToInt(node -> driver.scheduler().view().freeGpus(node.id()))
        .sum();
  }

  /** Gives so many rounds of events of all kinds, of which those after the warm-up count. */
  void run(String name, int warmUp, int rounds) {
    for (int round = 0; round < warmUp + rounds; round++) {
      if (round == warmUp) {
        timings.clear();
      }
      round(round);
    }
    timings.print(name);
    System.out.printf(
        "%s: %d run, %d wait, %d of %d GPUs are free, decisions %08x%n",
        name, driver.running(), driver.waiting(), free(), cluster.gpuCount(), driver.decided());
  }

  private void round(int round) {
    driver.on("finish", at -> new ClusterEvent.JobFinished(at, driver.anyRunning()));
    driver.on("time", ClusterEvent.TimePassed::new);
    driver.on(
        "fail",
        at -> new ClusterEvent.JobFailed(at, driver.anyRunning(), Failure.CRASHED, Retry.now()));
    driver.on(
        "progress", at -> new ClusterEvent.JobProgressed(at, driver.anyRunning(), progress()));
    driver.on("cancel", at -> new ClusterEvent.JobCancelled(at, driver.anyWaiting()));
    driver.on(
        "update",
        at ->
            new ClusterEvent.JobUpdated(
                at, changed.apply(shapes.next(driver.anyWaiting().value()))));
    driver.reportSwitches();
    if (round % 5 == 0) {
      nodesAndGpus(cluster.nodes().get(shapes.anyOf(cluster.nodes().size())), round);
    }
    refill();
  }

  private Progress progress() {
    return Progress.of(1, 0).withRemaining(Duration.ofSeconds(600 + shapes.anyOf(86_400)));
  }

  private void nodesAndGpus(Node node, int round) {
    GpuId gpu = new GpuId(node.id(), 0);
    driver.on("GPU lost", at -> new ClusterEvent.GpuLost(at, gpu));
    driver.on("GPU returned", at -> new ClusterEvent.GpuReturned(at, gpu));
    driver.on("node draining", at -> new ClusterEvent.NodeDraining(at, node.id()));
    driver.on("node lost", at -> new ClusterEvent.NodeLost(at, node.id()));
    if (round % 20 == 0) {
      driver.on("node retired", at -> new ClusterEvent.NodeRetired(at, node.id()));
      driver.on("node added", at -> new ClusterEvent.NodeAdded(at, node));
    } else {
      driver.on("node returned", at -> new ClusterEvent.NodeReturned(at, node.id()));
    }
  }

  /** Explains so many of the waiting jobs, or all; those before are warm-up. */
  void explain(String name, int most) {
    timings.clear();
    int explained = 0;
    for (JobId job : driver.waitingJobs()) {
      if (explained++ < most) {
        timings.time("explain", () -> driver.scheduler().explain(job));
      }
    }
    timings.print(name);
  }
}
