package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;

/**
 * A cluster on which a thousand jobs of several sizes run among others, whose load rises and falls:
 * while nobody waits they get larger, and smaller again when others come.
 */
final class ElasticCluster {

  private static final int ELASTIC = 1000;
  private static final int MOST_WAITING = 20;
  private static final int ROUNDS_OF_A_TIDE = 100;
  private static final List<Integer> PREFERRED = List.of(4, 8, 16);
  private static final List<Integer> FIXED = List.of(1, 2, 4, 8, 16, 32);

  private final Random random;
  private final Timings timings = new Timings();
  private final Driver driver;
  private final Queue<Decision.Resize> underWay = new ArrayDeque<>();
  private final List<JobId> elastic = new ArrayList<>();
  private int submitted;
  private long resizes;

  ElasticCluster(SchedulingPolicy policy, SizingPolicy sizing, int nodes, long seed) {
    random = new Random(seed);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(DistinctJobs.cluster(nodes))
            .policy(policy)
            .elasticity(Elasticity.by(sizing).build())
            .build();
    driver = new Driver(scheduler, timings, seed);
    for (int i = 0; i < ELASTIC; i++) {
      submitElastic();
    }
    while (driver.waiting() == 0) {
      submitFixed();
    }
  }

  private void submitElastic() {
    int preferred = PREFERRED.get(random.nextInt(PREFERRED.size()));
    JobSpec job =
        JobSpec.builder("e" + submitted++)
            .gpus(preferred)
            .parallelism(Parallelism.between(preferred / 2, preferred, 2 * preferred))
            .build();
    elastic.add(job.id());
    on("submit", job);
  }

  private void submitFixed() {
    int gpus = FIXED.get(random.nextInt(FIXED.size()));
    on("submit", JobSpec.builder("f" + submitted++).gpus(gpus).build());
  }

  private void on(String kind, JobSpec job) {
    follow(driver.on(kind, at -> new ClusterEvent.JobSubmitted(at, job)));
  }

  private void follow(List<Decision> decisions) {
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Resize resize) {
        underWay.removeIf(before -> before.job().equals(resize.job()));
        underWay.add(resize);
        resizes++;
      } else if (decision instanceof Decision.Preempt preempt) {
        underWay.removeIf(before -> before.job().equals(preempt.job()));
      }
    }
  }

  /** Gives so many rounds of events, of which those after the warm-up count. */
  void run(String name, int warmUp, int rounds) {
    for (int round = 0; round < warmUp + rounds; round++) {
      if (round == warmUp) {
        timings.clear();
        resizes = 0;
      }
      round(round / ROUNDS_OF_A_TIDE % 2 == 0 ? 0 : MOST_WAITING);
    }
    timings.print(name);
    System.out.printf(
        "%s: %d run, %d wait, %d sizes were changed%n",
        name, driver.running(), driver.waiting(), resizes);
  }

  private void round(int mostWaiting) {
    JobId ends = driver.anyRunning();
    underWay.removeIf(resize -> resize.job().equals(ends));
    follow(driver.on("finish", at -> new ClusterEvent.JobFinished(at, ends)));
    if (elastic.remove(ends)) {
      submitElastic();
    }
    for (int i = 0; i < 4 && driver.waiting() < mostWaiting; i++) {
      submitFixed();
    }
    JobId reports = elastic.get(random.nextInt(elastic.size()));
    if (driver.isRunning(reports)) {
      Progress progress = Progress.of(1, 1 + random.nextInt(16));
      follow(driver.on("progress", at -> new ClusterEvent.JobProgressed(at, reports, progress)));
    }
    follow(driver.on("time", ClusterEvent.TimePassed::new));
    for (int i = 0; i < 4 && !underWay.isEmpty(); i++) {
      Decision.Resize done = underWay.remove();
      follow(
          driver.on(
              "switched",
              at ->
                  new ClusterEvent.ResizeReported(
                      at, done.job(), done.number(), ResizeStep.SWITCHED)));
    }
  }
}
