package io.github.liquidscheduler.training.performance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.estimator.duration.ObservedSpeeds;
import io.github.liquidscheduler.estimator.performance.WorkloadKey;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThroughputFileTest {
  private static final GpuModel T4 = GpuModel.of("T4");
  private static final int[] BATCHES = {1, 48, 1024};

  private final Map<WorkloadKey, ThroughputModel> models = new LinkedHashMap<>();

  @TempDir private Path folder;

  ThroughputFileTest() {
    add("bert", new Line(0.2346, 0.055), new Line(0.2053, 0.0126), new Line(1.3423, 0.0139), 1.92);
    add("ncf", new Line(0.0069, 8e-7), new Line(0.0037, 4e-4), new Line(0.0151, 4.4e-4), 1);
    add("tiny", new Line(1e-5, 1e-8), new Line(2e-5, 1e-7), new Line(3e-5, 1e-6), 10);
  }

  @Test
  void theFileAnswersAsTheModelsDo() throws IOException {
    try (PerformancePredictor file = ObservedSpeeds.fitted(written(), 0.2)) {
      for (String family : new String[] {"bert", "ncf", "tiny"}) {
        for (int batch : BATCHES) {
          for (int gpus : new int[] {1, 2, 3, 8, 64}) {
            requireSame(file, job(family, batch), gpus, "node", 1);
            requireSame(file, job(family, batch), gpus, "rack", 2);
          }
        }
      }
    }
  }

  private void requireSame(
      PerformancePredictor file, JobSpec job, int gpus, String level, int nodes) {
    ThroughputModel model = requireNonNull(models.get(WorkloadKey.of(job, T4)));
    Replicas replicas = new Replicas(gpus, Math.min(gpus, nodes));
    double batch = (double) job.workload().batchSize().orElseThrow() / gpus;
    assertThat(file.throughput(job, T4, gpus, level).value())
        .isCloseTo(1 / model.iterationSeconds(replicas, batch), withinPercentage(1e-4));
  }

  @Test
  void whatTheFileDoesNotListIsUnknown() throws IOException {
    try (PerformancePredictor file = ObservedSpeeds.fitted(written(), 0.2)) {
      assertThat(file.throughput(job("vgg", 32), T4, 2, "node").high()).isInfinite();
      assertThat(file.throughput(job("bert", 32), GpuModel.of("K80"), 2, "node").high())
          .isInfinite();
    }
  }

  @Test
  void whatIsObservedAtTwoSizesCountsMoreThanTheFile() throws IOException {
    try (PerformancePredictor file = ObservedSpeeds.fitted(written(), 0.2)) {
      JobSpec job = job("bert", 48);
      file.observe(job, T4, 1, "node", 10);
      double before = file.throughput(job, T4, 2, "node").value();
      file.observe(job, T4, 2, "node", 5);

      assertThat(before).isLessThan(1);
      assertThat(file.throughput(job, T4, 2, "node").value()).isCloseTo(5, withinPercentage(2));
    }
  }

  @Test
  void speedsThatLeaveTheFileAskForAProfile() throws IOException {
    try (PerformancePredictor file = ObservedSpeeds.fitted(written(), 0.2)) {
      for (int times = 0; times < 5; times++) {
        file.observe(job("bert", 48), T4, 1, "node", 0.1);
      }

      assertThat(file.needsProfile(job("bert", 48), T4)).isTrue();
      assertThat(file.needsProfile(job("ncf", 48), T4)).isFalse();
    }
  }

  @Test
  void aFileOfNothingIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> ThroughputFile.of(Map.of()));
  }

  private Path written() throws IOException {
    return Files.write(folder.resolve("throughput.onnx"), ThroughputFile.of(models));
  }

  private void add(String family, Line computing, Line within, Line across, double gamma) {
    models.put(
        WorkloadKey.of(job(family, 1), T4), new ThroughputModel(computing, within, across, gamma));
  }

  private static JobSpec job(String family, int batch) {
    return JobSpec.builder("j")
        .workload(Workload.builder(family).batchSize(batch).build())
        .gpus(1)
        .build();
  }
}
