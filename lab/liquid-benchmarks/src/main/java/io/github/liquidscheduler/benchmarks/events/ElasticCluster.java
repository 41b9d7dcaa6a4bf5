package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/**
 * A cluster on which jobs of several sizes run among others, whose load rises and falls: while
 * nobody waits they get larger, and smaller again when others come.
 */
final class ElasticCluster {

  private static final String DEADLINE = "deadline";
  private static final int MOST_WAITING = 20;
  private static final int ROUNDS_OF_A_TIDE = 100;
  private static final int SWITCHED_AT_ONCE = 4;
  private static final List<Integer> PREFERRED = List.of(4, 8, 16);
  private static final List<Integer> FIXED = List.of(1, 2, 4, 8, 16, 32);
  private static final List<String> FAMILIES = List.of("resnet", "bert", "gpt", "ncf");
  private static final AmdahlSpeeds SPEEDS =
      new AmdahlSpeeds(Map.of("resnet", .002, "bert", .01, "gpt", .03, "ncf", .1));

  private final String rule;
  private final Random random;
  private final Timings timings = new Timings();
  private final Driver driver;
  private final Queue<Decision.Resize> underWay = new ArrayDeque<>();
  private final List<JobId> elastic = new ArrayList<>();
  private int submitted;
  private long resizes;

  /** Fills a cluster until somebody waits. */
  ElasticCluster(String rule, String policy, int nodes, int jobs, long seed) {
    this.rule = rule;
    random = new Random(seed);
    boolean hasDeadlines = rule.equals(DEADLINE);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(DistinctJobs.cluster(nodes))
            .policy(hasDeadlines ? Policies.deadlineFirst() : Policies.named(policy))
            .elasticity(elasticity(rule))
            .build();
    driver = new Driver(scheduler, timings, seed);
    for (int i = 0; i < jobs; i++) {
      submitElastic();
    }
    while (driver.waiting() == 0) {
      submitFixed();
    }
  }

  private static Elasticity elasticity(String rule) {
    if (rule.equals(DEADLINE)) {
      return Elasticity.by(SizingPolicy.marginalGain())
          .predictor(SPEEDS)
          .deadlines(LateJobs.WAIT)
          .build();
    }
    SizingPolicy sizing =
        rule.equals("elastic-tiresias") ? SizingPolicy.elasticTiresias() : SizingPolicy.named(rule);
    return Elasticity.by(sizing).predictor(SPEEDS).build();
  }

  private void submitElastic() {
    int preferred = PREFERRED.get(random.nextInt(PREFERRED.size()));
    Duration work = Duration.ofMinutes(60 + random.nextInt(24 * 60));
    JobSpec.Builder job =
        job("e", preferred, work)
            .parallelism(Parallelism.between(preferred / 2, preferred, 2 * preferred));
    if (rule.equals(DEADLINE)) {
      job.deadline(driver.now().plus(work.multipliedBy(2 + random.nextInt(3))));
    }
    elastic.add(submit(job.build()));
  }

  private void submitFixed() {
    int gpus = FIXED.get(random.nextInt(FIXED.size()));
    submit(job("f", gpus, Duration.ofMinutes(10 + random.nextInt(12 * 60))).build());
  }

  private JobSpec.Builder job(String prefix, int gpus, Duration work) {
    String family = FAMILIES.get(random.nextInt(FAMILIES.size()));
    return JobSpec.builder(prefix + submitted++)
        .gpus(gpus)
        .workload(Workload.builder(family).build())
        .preemptible(true)
        .expectedWork(ExpectedWork.ofDuration(work));
  }

  private JobId submit(JobSpec job) {
    follow(driver.on("submit", at -> new ClusterEvent.JobSubmitted(at, job)));
    return job.id();
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
  void run(int warmUp, int rounds) {
    for (int round = 0; round < warmUp + rounds; round++) {
      if (round == warmUp) {
        timings.clear();
        resizes = 0;
      }
      round(round / ROUNDS_OF_A_TIDE % 2 == 0 ? 0 : MOST_WAITING);
    }
    timings.print(rule);
    System.out.printf(
        "%s: %d run, %d wait, %d sizes were changed%n",
        rule, driver.running(), driver.waiting(), resizes);
  }

  private void round(int mostWaiting) {
    end(driver.anyRunning());
    for (int i = 0; i < SWITCHED_AT_ONCE && driver.waiting() < mostWaiting; i++) {
      submitFixed();
    }
    report(elastic.get(random.nextInt(elastic.size())));
    follow(driver.on("time", ClusterEvent.TimePassed::new));
    for (int i = 0; i < SWITCHED_AT_ONCE && !underWay.isEmpty(); i++) {
      Decision.Resize done = underWay.remove();
      follow(
          driver.on(
              "switched",
              at ->
                  new ClusterEvent.ResizeReported(
                      at, done.job(), done.number(), ResizeStep.SWITCHED)));
    }
  }

  private void end(JobId job) {
    underWay.removeIf(resize -> resize.job().equals(job));
    follow(driver.on("finish", at -> new ClusterEvent.JobFinished(at, job)));
    if (elastic.remove(job)) {
      submitElastic();
    }
  }

  private void report(JobId job) {
    if (driver.isRunning(job)) {
      Progress progress = Progress.of(1, 1 + random.nextInt(16));
      follow(driver.on("progress", at -> new ClusterEvent.JobProgressed(at, job, progress)));
    }
  }
}
