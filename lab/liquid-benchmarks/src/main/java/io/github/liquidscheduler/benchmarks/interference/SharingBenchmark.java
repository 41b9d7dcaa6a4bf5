package io.github.liquidscheduler.benchmarks.interference;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long it takes to find co-runners for a job on a full cluster, with the shipped models. Run
 * with {@code -prof gc} to see that the garbage does not grow with the candidates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
public class SharingBenchmark {
  private static final GpuModel GPU = GpuModel.of("V100");
  private static final List<String> FAMILIES =
      List.of("ResNet-18", "ResNet-50", "Transformer", "LM", "Recommendation");

  /** How many different co-locations there are; each GPU of 1,024 is held by one job. */
  @Param({"1", "256"})
  public int colocations;

  private CompositePredictor predictor = CompositePredictor.shipped();
  private Placer placer = Placers.colocating(Colocation.of(predictor));
  private LiquidScheduler scheduler = scheduler(placer);
  private final JobSpec job = job("x", 7);

  /** Fills the cluster. */
  @Setup(Level.Trial)
  public void fill() {
    predictor.close();
    predictor = CompositePredictor.shipped();
    PredictedSlowdownRule rule =
        PredictedSlowdownRule.builder(predictor).opportunisticFloor(0).maxSlowdown(1).build();
    placer = Placers.colocating(Colocation.builder(rule).build());
    scheduler = scheduler(placer);
    for (int i = 0; i < 1024; i++) {
      scheduler.on(
          new ClusterEvent.JobSubmitted(Instant.EPOCH, job("resident-" + i, i % colocations)));
    }
    if (placer.place(scheduler.view(), job).isEmpty()) {
      throw new IllegalStateException("there is no co-runner for " + job);
    }
  }

  /** Frees what is outside the heap. */
  @TearDown
  public void close() {
    predictor.close();
  }

  /** One decision: a job among all co-locations. */
  @Benchmark
  public Optional<Placement> aPlacement() {
    return placer.place(scheduler.view(), job);
  }

  private static LiquidScheduler scheduler(Placer placer) {
    ClusterTopology.Builder topology = ClusterTopology.builder();
    for (int n = 0; n < 128; n++) {
      topology.node(Node.builder("n" + n).gpus(8, GPU, Memory.ofGib(16)).build());
    }
    return LiquidScheduler.builder(topology.build())
        .policy(Policies.bestEffortFifo())
        .placer(placer)
        .build();
  }

  private static JobSpec job(String id, int kind) {
    return JobSpec.builder(id)
        .gpus(1)
        .workload(
            Workload.builder(FAMILIES.get(kind % FAMILIES.size()))
                .batchSize(8 + kind / FAMILIES.size())
                .build())
        .sharing(new Sharing.Opportunistic())
        .build();
  }
}
