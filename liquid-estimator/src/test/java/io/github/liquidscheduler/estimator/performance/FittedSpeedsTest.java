package io.github.liquidscheduler.estimator.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.estimator.duration.ObservedSpeeds;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import io.github.liquidscheduler.resource.GpuModel;
import org.junit.jupiter.api.Test;

class FittedSpeedsTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final ThroughputModel TRUTH =
      new ThroughputModel(new Line(0.05, 0.004), new Line(0.04, 0.002), new Line(0.1, 0.01), 2);

  private final PerformancePredictor speeds = ObservedSpeeds.fitted(0.2);

  @Test
  void whatWasNeverSeenIsUnknown() {
    assertThat(speeds.throughput(job(32), V100, 2, "node").provenance())
        .isEqualTo(Provenance.DEFAULT);
    assertThat(speeds.model(job(32), V100)).isEmpty();
    assertThat(speeds.needsProfile(job(32), V100)).isFalse();
  }

  @Test
  void ofOneSizeAnotherIsPredictedInProportion() {
    observe(2, "node", 32, 1);

    assertThat(speeds.throughput(job(32), V100, 4, "rack").value())
        .isCloseTo(2 * speed(2, "node", 32), withinPercentage(1e-6));
  }

  @Test
  void theBatchThatWasSubmittedIsDividedAmongTheGpus() {
    JobSpec job = job(64);
    speeds.observe(job, V100, 1, "node", 10);
    speeds.observe(job, V100, 2, "node", 19);

    assertThat(speeds.throughput(job, V100, 1, "node").value()).isCloseTo(10, withinPercentage(3));
    assertThat(speeds.throughput(job, V100, 2, "node").value()).isCloseTo(19, withinPercentage(3));
    assertThat(speeds.throughput(job, V100, 4, "node").value()).isBetween(25.0, 38.0);
  }

  @Test
  void aFewSizesAndBatchesTellOthers() {
    observeSizes(1);

    Prediction within = speeds.throughput(job(48), V100, 4, "node");
    Prediction across = speeds.throughput(job(48), V100, 6, "cluster");

    assertThat(within.value()).isCloseTo(speed(4, "node", 48), withinPercentage(1));
    assertThat(across.value()).isCloseTo(speed(6, "cluster", 48), withinPercentage(1));
    assertThat(across.provenance()).isEqualTo(Provenance.LEARNED);
  }

  @Test
  void aSizeFarFromAllSeenIsLessSure() {
    observeSizes(1);

    Prediction near = speeds.throughput(job(32), V100, 8, "rack");
    Prediction far = speeds.throughput(job(32), V100, 64, "rack");

    assertThat(far.provenance()).isEqualTo(Provenance.SIMILAR);
    assertThat(far.high() / far.value()).isGreaterThan(1.5 * near.high() / near.value());
  }

  @Test
  void synchronisingThatWasNeverSeenIsHopedToTakeNoTime() {
    observe(1, "node", 16, 1);
    observe(1, "node", 64, 1);

    assertThat(speeds.throughput(job(32), V100, 8, "rack").value())
        .isCloseTo(1 / TRUTH.computing().at(32.0 / 8), withinPercentage(0.1));
  }

  @Test
  void aCrossingOfNodesThatWasNeverSeenCostsATenthMoreThanWithinANode() {
    for (int gpus : new int[] {1, 2, 4}) {
      observe(gpus, "node", 16, 1);
      observe(gpus, "node", 64, 1);
    }

    ThroughputModel model = speeds.model(job(32), V100).orElseThrow();

    assertThat(model.acrossNodes()).isEqualTo(model.withinNode().times(1.1));
  }

  @Test
  void speedsThatHaveLeftTheModelAskForAProfile() {
    observeSizes(1);
    repeat(4, "node", 0.7, 2);
    assertThat(speeds.needsProfile(job(32), V100)).isFalse();

    repeat(4, "node", 0.7, 3);
    assertThat(speeds.needsProfile(job(32), V100)).isTrue();

    observe(8, "rack", 32, 0.7);
    assertThat(speeds.needsProfile(job(32), V100)).isFalse();
    assertThat(speeds.throughput(job(32), V100, 4, "node").value())
        .isCloseTo(0.7 * speed(4, "node", 32), withinPercentage(2));
  }

  @Test
  void speedsThatVaryByLessThanTheShareDoNot() {
    observeSizes(1);
    repeat(4, "node", 0.9, 20);

    assertThat(speeds.needsProfile(job(32), V100)).isFalse();
  }

  @Test
  void otherPrecisionsAndGpusAreOtherWorkloads() {
    observeSizes(1);
    JobSpec half =
        JobSpec.builder("h")
            .workload(Workload.builder("resnet50").batchSize(32).precision("fp16").build())
            .gpus(2)
            .build();

    assertThat(speeds.model(half, V100)).isEmpty();
    assertThat(speeds.model(job(64), V100)).isPresent();
    assertThat(speeds.throughput(job(32), GpuModel.of("K80"), 2, "node").high()).isInfinite();
  }

  @Test
  void whatIsNoSpeedIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> speeds.observe(job(32), V100, 2, "node", Double.NaN))
        .withMessageContaining("for job 'j'");
    assertThatIllegalArgumentException().isThrownBy(() -> ObservedSpeeds.fitted(0));
  }

  private void observeSizes(double factor) {
    for (int batch : new int[] {16, 32, 64}) {
      for (int gpus : new int[] {1, 2, 4}) {
        observe(gpus, "node", batch, factor);
      }
      for (int gpus : new int[] {2, 4, 8}) {
        observe(gpus, "rack", batch, factor);
      }
    }
  }

  private void repeat(int gpus, String level, double factor, int times) {
    for (int i = 0; i < times; i++) {
      observe(gpus, level, 32, factor);
    }
  }

  private void observe(int gpus, String level, int batch, double factor) {
    speeds.observe(job(batch), V100, gpus, level, factor * speed(gpus, level, batch));
  }

  private static double speed(int gpus, String level, int batch) {
    int nodes = level.equals("node") ? 1 : 2;
    return 1 / TRUTH.iterationSeconds(new Replicas(gpus, nodes), (double) batch / gpus);
  }

  private static JobSpec job(int batch) {
    return JobSpec.builder("j")
        .workload(Workload.builder("resnet50").batchSize(batch).build())
        .gpus(1)
        .build();
  }
}
