package io.github.liquidscheduler.benchmarks.resource;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How fast the needs of one task are predicted with the shipped model. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
public class EstimateBenchmark {
  /** The family: one of the model's training, one of the table, and one that nobody knows. */
  @Param({"resnet50", "meta-llama/Meta-Llama-3-8B", "gpt2-xl", "nobody-knows"})
  public String family = "resnet50";

  private final LearnedResourceEstimator estimator = LearnedResourceEstimator.shipped();
  private TaskProfile task = profile(32);

  /** Makes the task, two other batch sizes of which were measured. */
  @Setup
  public void measure() {
    task = profile(32);
    for (int batch : List.of(8, 16)) {
      ResourceUsage usage =
          ResourceUsage.builder()
              .gpuMemory(Memory.ofGib(4 + batch / 8))
              .gpuUtilization(.7, .1)
              .build();
      estimator.observe(ResourceSample.of(profile(batch), usage));
    }
  }

  /** Frees what is outside the heap. */
  @TearDown
  public void close() {
    estimator.close();
  }

  /** One estimate of all that is predicted. */
  @Benchmark
  public TaskEstimate oneEstimate() {
    return estimator.estimate(task);
  }

  private TaskProfile profile(int batch) {
    Workload workload =
        Workload.builder(family)
            .framework("pytorch")
            .batchSize(batch)
            .hyperparameter("optimizer", "adamw")
            .build();
    return TaskProfile.builder(workload).gpu("NVIDIA A100-SXM4-80GB").build();
  }
}
