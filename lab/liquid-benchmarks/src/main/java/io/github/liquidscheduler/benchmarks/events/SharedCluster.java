package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A cluster whose GPUs are shared, and whose jobs report how fast they are beside each other. */
final class SharedCluster {

  private static final GpuModel GPU = GpuModel.of("V100");
  private static final List<String> FAMILIES =
      List.of("ResNet-18", "ResNet-50", "Transformer", "LM", "Recommendation");
  private static final double RATE = 10;
  private static final int NODES = 1_000;
  private static final int WAITING = 2_000;

  private final Random random;
  private final Timings timings = new Timings();
  private final Driver driver;
  private int made;

  private SharedCluster(CompositePredictor predictor, long seed, int startsPerEvent) {
    random = new Random(seed);
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < NODES; n++) {
      cluster.node(Node.builder("n" + n).gpus(8, GPU, Memory.ofGib(16)).build());
    }
    driver =
        new Driver(
            LiquidScheduler.builder(cluster.build())
                .policy(Policies.bestEffortFifo())
                .colocation(Colocation.of(predictor))
                .startsPerEvent(startsPerEvent)
                .build(),
            timings,
            seed);
  }

  /** Times reports of jobs on 8,000 shared GPUs, after as many to warm up. */
  static void report(long seed, int startsPerEvent, int reports) {
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      new SharedCluster(predictor, seed, startsPerEvent).report(reports);
    }
  }

  private void report(int reports) {
    while (driver.waiting() < WAITING) {
      JobSpec job = job();
      driver.on("submit", at -> new ClusterEvent.JobSubmitted(at, job));
    }
    for (int i = 0; i < 2 * reports; i++) {
      if (i == reports) {
        timings.clear();
      }
      JobId job = driver.anyRunning();
      Progress progress = Progress.of(i, RATE * (.75 + .25 * random.nextDouble()));
      driver.on("progress", at -> new ClusterEvent.JobProgressed(at, job, progress));
    }
    timings.print(driver.running() + " share, " + driver.waiting() + " wait");
    System.out.printf("decisions %08x%n", driver.decided());
  }

  private JobSpec job() {
    ResourceRequest request =
        ResourceRequest.builder()
            .gpus(1)
            .share(GpuShare.ofThousandths(random.nextBoolean() ? 400 : 500))
            .gpuMemory(Memory.ofGib(1 + random.nextInt(8)))
            .build();
    return JobSpec.builder("job-" + made++)
        .role("worker", random.nextInt(10) == 0 ? 1 + random.nextInt(4) : 1, request)
        .workload(
            Workload.builder(FAMILIES.get(random.nextInt(FAMILIES.size())))
                .batchSize(8 << random.nextInt(5))
                .build())
        .expectedWork(ExpectedWork.of(Duration.ofSeconds(10_000), (long) (10_000 * RATE)))
        .sharing(
            random.nextInt(3) == 0
                ? new Sharing.Guaranteed(.7 + .05 * random.nextInt(5))
                : new Sharing.Opportunistic())
        .build();
  }
}
