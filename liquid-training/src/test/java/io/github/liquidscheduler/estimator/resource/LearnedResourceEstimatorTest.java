package io.github.liquidscheduler.estimator.resource;

import static io.github.liquidscheduler.estimator.resource.Tasks.V100;
import static io.github.liquidscheduler.estimator.resource.Tasks.WORKER;
import static io.github.liquidscheduler.estimator.resource.Tasks.job;
import static io.github.liquidscheduler.estimator.resource.Tasks.task;
import static io.github.liquidscheduler.estimator.resource.Tasks.used;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.ResourceEstimate;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LearnedResourceEstimatorTest {
  private final LearnedResourceEstimator estimator = LearnedResourceEstimator.withoutModel();

  @Test
  void aFamilyOfTheTableIsEstimatedByItsPriorAndSaysSo() {
    Prediction memory = estimator.estimate(job("resnet50", 32), WORKER, V100).gpuMemory();

    assertThat(memory.provenance()).isEqualTo(Provenance.PRIOR);
    assertThat(memory.value()).isBetween(3e9, 8e9);
  }

  @Test
  void aPoolThatGrowsKeepsTheScratchThatConvolutionsTried() {
    assertThat(memory("mobilenet", "growth")).isGreaterThan(4.0 * (1L << 30));
    assertThat(memory("transformer", "growth")).isLessThan(4.0 * (1L << 30));
  }

  /** Published: 4.3168 GB. */
  @Test
  void thePeakOfAnAllocatorHoldsTheScratchOfTheWidestConvolution() {
    assertThat(memory("vgg16", "peak")).isCloseTo(4.3168e9, withinPercentage(5));
  }

  @Test
  void anUnknownFamilyGetsTheDefaultsAndAsksForTheWholeGpu() {
    ResourceEstimate estimate = estimator.estimate(job("secret", 32), WORKER, V100);

    assertThat(estimate.gpuMemory().provenance()).isEqualTo(Provenance.DEFAULT);
    assertThat(estimate.gpuMemory().value()).isEqualTo(8.0 * (1L << 30));
    assertThat(estimate.gpuMemoryRequested()).isEqualTo(Memory.ofGib(16));
    assertThat(estimate.gpuUtilization().value()).isEqualTo(1);
    assertThat(estimate.cpuMillicores().value()).isEqualTo(4000);
    assertThat(estimate.totalSeconds().value()).isInfinite();
  }

  @Test
  void anUnknownFamilyOnAnUnknownGpuAsksForTwiceTheDefault() {
    assertThat(estimator.estimate(job("secret", 32), WORKER, GpuModel.of("X")).gpuMemoryRequested())
        .isEqualTo(Memory.ofGib(16));
  }

  @Test
  void aFamilyThatResemblesAnotherIsEstimatedLikeIt() {
    assertThat(estimator.estimate(job("resnet42", 32), WORKER, V100).gpuMemory().provenance())
        .isEqualTo(Provenance.PRIOR);
  }

  @Test
  void aTaskThatRanBeforeIsEstimatedByItsPast() {
    estimator.observe(job("resnet50", 32), WORKER, V100, used(Memory.ofGib(5)));

    ResourceEstimate estimate = estimator.estimate(job("resnet50", 32), WORKER, V100);

    assertThat(estimate.gpuMemory().provenance()).isEqualTo(Provenance.MEASURED);
    assertThat(estimate.gpuMemory().value()).isCloseTo(5.0 * (1L << 30), within(100.0));
    assertThat(estimate.gpuMemoryRequested()).isGreaterThan(Memory.ofGib(5));
  }

  @Test
  void whatOneBatchSizeUsedMovesTheEstimateOfAnother() {
    double before = estimator.estimate(job("resnet50", 64), WORKER, V100).gpuMemory().value();

    estimator.observe(job("resnet50", 32), WORKER, V100, used(Memory.ofGib(2)));

    assertThat(estimator.estimate(job("resnet50", 64), WORKER, V100).gpuMemory().value())
        .isLessThan(before);
  }

  @Test
  void aFamilyThatWasObservedOftenIsLearned() {
    for (int batch : new int[] {8, 16, 24}) {
      estimator.observe(job("secret", batch), WORKER, V100, used(Memory.ofGib(3)));
    }

    assertThat(estimator.estimate(job("secret", 32), WORKER, V100).gpuMemory().provenance())
        .isEqualTo(Provenance.LEARNED);
  }

  @Test
  void aTaskThatRanOutOfMemoryNeverAsksForAsLittleAgain() {
    Memory before = estimator.estimate(job("resnet50", 32), WORKER, V100).gpuMemoryRequested();

    estimator.observeOutOfMemory(job("resnet50", 32), WORKER, V100, before);

    for (int batch : new int[] {32, 33, 64}) {
      assertThat(estimator.estimate(job("resnet50", batch), WORKER, V100).gpuMemoryRequested())
          .isGreaterThan(before);
    }
  }

  @Test
  void aTaskThatFailedOnAWholeGpuAsksForMoreThanThatGpuHas() {
    estimator.observeOutOfMemory(job("resnet50", 32), WORKER, V100, Memory.ofGib(16));

    assertThat(estimator.estimate(job("resnet50", 32), WORKER, V100).gpuMemoryRequested())
        .isGreaterThan(Memory.ofGib(16));
  }

  @Test
  void aSmallerBatchThanTheOneThatFailedMayAskForAsLittle() {
    Memory before = estimator.estimate(job("resnet50", 16), WORKER, V100).gpuMemoryRequested();

    estimator.observeOutOfMemory(job("resnet50", 32), WORKER, V100, Memory.ofGib(14));

    assertThat(estimator.estimate(job("resnet50", 16), WORKER, V100).gpuMemoryRequested())
        .isEqualTo(before);
  }

  @Test
  void errorsBeyondThoseOfTheTrainingWidenTheIntervals() {
    double before = width(estimator.estimate(job("vgg16", 32), WORKER, V100).gpuMemory());
    for (int batch = 1; batch <= 10; batch++) {
      Memory odd = batch % 2 == 0 ? Memory.ofMib(100) : Memory.ofGib(15);
      estimator.observe(job("resnet50", batch), WORKER, V100, used(odd));
    }

    assertThat(estimator.widening(ResourceTarget.GPU_MEMORY)).isGreaterThan(1.5);
    assertThat(width(estimator.estimate(job("vgg16", 32), WORKER, V100).gpuMemory()))
        .isGreaterThan(before);
  }

  @Test
  void utilizationIsRoundedUpToAPercent() {
    estimator.observe(
        job("resnet50", 32),
        WORKER,
        V100,
        ResourceUsage.builder().gpuUtilization(0.412, 0.1).build());

    assertThat(estimator.estimate(job("resnet50", 32), WORKER, V100).gpuUtilization().value())
        .isEqualTo(0.42);
  }

  @Test
  void everyPartOfAUsageIsLearned() {
    estimator.observe(
        job("resnet50", 32),
        WORKER,
        V100,
        ResourceUsage.builder()
            .memory(Memory.ofGib(7))
            .phases(Duration.ofSeconds(20), Duration.ofSeconds(4), Duration.ofSeconds(300))
            .build());

    ResourceEstimate estimate = estimator.estimate(job("resnet50", 32), WORKER, V100);

    assertThat(estimate.memory().value()).isCloseTo(7.0 * (1L << 30), within(100.0));
    assertThat(estimate.preSeconds().value()).isCloseTo(20, within(1e-6));
    assertThat(estimate.postSeconds().value()).isCloseTo(4, within(1e-6));
    assertThat(estimate.totalSeconds().value()).isCloseTo(300, within(1e-6));
    assertThat(estimator.samples()).hasSize(1);
  }

  @Test
  void theShippedModelKnowsItsFamiliesAndSaysWhatItOnlyResembles() {
    try (LearnedResourceEstimator learned = LearnedResourceEstimator.shipped()) {
      assertThat(provenance(learned, "resnet50")).isEqualTo(Provenance.LEARNED);
      assertThat(provenance(learned, "densenet121")).isEqualTo(Provenance.SIMILAR);
      assertThat(provenance(learned, "secret")).isEqualTo(Provenance.DEFAULT);
    }
  }

  @Test
  void aNumberOfParametersIsEnoughForAnEstimateOfMemory() {
    TaskProfile large = task("secret").parameters(1e9).build();

    assertThat(estimator.estimate(large).of(ResourceTarget.GPU_MEMORY).provenance())
        .isEqualTo(Provenance.PRIOR);
  }

  private static Provenance provenance(LearnedResourceEstimator estimator, String family) {
    return estimator.estimate(job(family, 32), WORKER, V100).gpuMemory().provenance();
  }

  private static double width(Prediction prediction) {
    return prediction.high() / prediction.low();
  }

  private double memory(String family, String allocator) {
    Workload workload =
        Workload.builder(family)
            .batchSize(25)
            .hyperparameter("allocator", allocator)
            .hyperparameter("optimizer", "sgd")
            .build();
    return estimator
        .estimate(TaskProfile.builder(workload).build())
        .of(ResourceTarget.GPU_MEMORY)
        .value();
  }
}
