package io.github.liquidscheduler.training.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ResourceEstimate;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class UnseenLineagesTest {
  private static final GpuModel GPU = GpuModel.of("A100");
  private static final List<ResourceSample> SAMPLES = ResourceCsv.published().samples();
  private static final UnseenLineages UNSEEN = new UnseenLineages(SAMPLES, 1);

  @AfterAll
  static void close() {
    UNSEEN.close();
  }

  @Test
  void aFamilyIsEstimatedByAModelThatWasTrainedWithoutItsLineage() {
    List<ResourceSample> withoutResNets =
        SAMPLES.stream().filter(s -> !s.task().family().startsWith("resnet")).toList();
    assertThat(withoutResNets).hasSizeLessThan(SAMPLES.size());

    try (LearnedResourceEstimator trained = new ResourceTrainer(1).train(withoutResNets).load();
        LearnedResourceEstimator shipped = LearnedResourceEstimator.shipped()) {
      ResourceEstimate unseen = estimate(UNSEEN, job("resnet50"));

      assertThat(unseen).isEqualTo(estimate(trained, job("resnet50")));
      assertThat(unseen).isNotEqualTo(estimate(shipped, job("resnet50")));
    }
  }

  @Test
  void whatRanIsLearnedFrom() {
    JobSpec job = job("vgg16");
    ResourceEstimate before = estimate(UNSEEN, job);

    Memory used = Memory.ofGib(7);
    UNSEEN.observe(
        job, job.roles().getFirst(), GPU, ResourceUsage.builder().gpuMemory(used).build());

    ResourceEstimate after = estimate(UNSEEN, job);
    assertThat(after).isNotEqualTo(before);
  }

  private static ResourceEstimate estimate(ResourceEstimator estimator, JobSpec job) {
    return estimator.estimate(job, job.roles().getFirst(), GPU);
  }

  private static JobSpec job(String family) {
    return JobSpec.builder("a")
        .gpus(1)
        .workload(Workload.builder(family).batchSize(64).build())
        .build();
  }
}
