package io.github.liquidscheduler.estimator.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class ResourceEstimatorLaws {
  private static final LearnedResourceEstimator SHIPPED = LearnedResourceEstimator.shipped();

  @Property(tries = 300)
  void intervalsHoldTheirPredictionsAndEnoughIsAskedFor(
      @ForAll("tasks") TaskProfile task, @ForAll boolean hasModel) {
    LearnedResourceEstimator estimator =
        hasModel ? SHIPPED : LearnedResourceEstimator.withoutModel();

    TaskEstimate estimate = estimator.estimate(task);

    for (ResourceTarget target : ResourceTarget.values()) {
      Prediction prediction = estimate.of(target);
      assertThat(prediction.low()).isBetween(0.0, prediction.value());
      assertThat(prediction.high()).isGreaterThanOrEqualTo(prediction.value());
    }
    assertThat((double) estimate.gpuMemoryRequested().bytes())
        .isGreaterThanOrEqualTo(estimate.of(ResourceTarget.GPU_MEMORY).value());
  }

  @Property(tries = 200)
  void withoutAModelALargerBatchNeverNeedsLessMemory(
      @ForAll("tasks") TaskProfile task, @ForAll @IntRange(min = 1, max = 512) int more) {
    LearnedResourceEstimator estimator = LearnedResourceEstimator.withoutModel();
    TaskProfile larger =
        task(task.family(), task.batch().orElse(0) + more, task.gpu(), task.framework());

    assertThat(memory(estimator, larger)).isGreaterThanOrEqualTo(memory(estimator, task));
  }

  @Property(tries = 200)
  void whatWasMeasuredLiesInTheInterval(
      @ForAll("tasks") TaskProfile task, @ForAll @DoubleRange(min = 1e6, max = 7e9) double bytes) {
    LearnedResourceEstimator estimator = LearnedResourceEstimator.withoutModel();
    estimator.observe(new ResourceSample(task, Map.of(ResourceTarget.GPU_MEMORY, bytes)));

    Prediction memory = estimator.estimate(task).of(ResourceTarget.GPU_MEMORY);

    assertThat(bytes).isBetween(memory.low(), memory.high());
  }

  @Provide
  Arbitrary<TaskProfile> tasks() {
    return Combinators.combine(
            Arbitraries.of("resnet50", "vgg16", "bert", "gpt2", "gnn", "secret", "resnet99"),
            Arbitraries.integers().between(1, 512),
            Arbitraries.of("V100", "A100", "K80", "unheard of", ""),
            Arbitraries.of("pytorch", "tensorflow", ""))
        .as(ResourceEstimatorLaws::task);
  }

  private static TaskProfile task(String family, int batch, String gpu, String framework) {
    Workload workload = Workload.builder(family).batchSize(batch).framework(framework).build();
    return TaskProfile.builder(workload).gpu(gpu).build();
  }

  private static double memory(LearnedResourceEstimator estimator, TaskProfile task) {
    return estimator.estimate(task).of(ResourceTarget.GPU_MEMORY).value();
  }
}
