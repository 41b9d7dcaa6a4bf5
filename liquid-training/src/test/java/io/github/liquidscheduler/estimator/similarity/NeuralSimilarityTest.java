package io.github.liquidscheduler.estimator.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.workload.SimilaritySchema;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeuralSimilarityTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Workload LIGHT = workload("light", 8);
  private static final Workload HEAVY = workload("heavy", 8);
  private static final Workload HUGE = workload("huge", 64);

  /** Speed beside: light .9, heavy .6, huge .4, whoever the victim is, and .05 less for huge. */
  private final NeuralSimilarity model = model();

  @Test
  void aKnownPairIsAnsweredByTheNetwork() {
    Prediction answer = model.retainedSpeed(LIGHT, HEAVY, V100);

    assertThat(answer.value()).isCloseTo(0.6, within(1e-6));
    assertThat(answer.provenance()).isEqualTo(Provenance.LEARNED);
    assertThat(answer.width()).isCloseTo(0.2, within(1e-6));
  }

  @Test
  void namesAreComparedWithoutCaseAndPunctuation() {
    Workload sameAsLight = workload("LI-GHT", 8);
    assertThat(model.retainedSpeed(sameAsLight, HEAVY, V100).value()).isCloseTo(0.6, within(1e-6));
  }

  @Test
  void anotherBatchSizeIsAnsweredByTheNearestOfItsFamily() {
    Prediction answer = model.retainedSpeed(workload("light", 16), HEAVY, V100);

    assertThat(answer.value()).isCloseTo(0.6, within(1e-6));
    assertThat(answer.provenance()).isEqualTo(Provenance.SIMILAR);
    assertThat(answer.width()).isCloseTo(0.4, within(1e-6));
  }

  @Test
  void aStrangerIsAnsweredByTheAverageWithAWideInterval() {
    Prediction answer = model.retainedSpeed(LIGHT, workload("stranger", 1), V100);

    assertThat(answer.value()).isCloseTo((0.9 + 0.6 + 0.4) / 3, within(1e-6));
    assertThat(answer.provenance()).isEqualTo(Provenance.DEFAULT);
    assertThat(answer.width()).isGreaterThan(0.5);
  }

  @Test
  void anUnknownGpuModelIsAnsweredUnsurely() {
    Prediction answer = model.retainedSpeed(LIGHT, HEAVY, GpuModel.of("Z9"));
    assertThat(answer.provenance()).isEqualTo(Provenance.DEFAULT);
    assertThat(answer.width()).isGreaterThan(0.5);
  }

  @Test
  void aModelOfAnotherKindIsRefused() {
    OnnxGraph graph = new OnnxGraph(2);
    ModelMetadata other =
        ModelMetadata.of(
            "gpu_memory", "bytes", List.of(Feature.plain("a", "1"), Feature.plain("b", "1")));
    byte[] bytes = graph.toBytes(graph.input(), other);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NeuralSimilarity.of(bytes, "r.onnx"))
        .withMessageContaining("predicts gpu_memory")
        .withMessageContaining("r.onnx")
        .withMessageContaining("swapped");
  }

  @Test
  void theShippedModelKnowsTheClassesItWasTrainedOn() {
    Workload small = workload("ResNet-18", 16);
    Workload large = workload("ResNet-50", 64);
    NeuralSimilarity shipped = NeuralSimilarity.shipped();

    assertThat(shipped.retainedSpeed(small, large, V100).provenance())
        .isEqualTo(Provenance.LEARNED);
  }

  private static Workload workload(String family, int batch) {
    return Workload.builder(family).batchSize(batch).build();
  }

  private static NeuralSimilarity model() {
    List<WorkloadClass> classes =
        List.of(WorkloadClass.of(LIGHT), WorkloadClass.of(HEAVY), WorkloadClass.of(HUGE));
    ModelMetadata metadata =
        SimilaritySchema.metadata(
            classes, List.of(V100), classes, new double[] {0.1}, new double[] {0.2});
    OnnxGraph graph = new OnnxGraph(2);
    GraphValue victim =
        graph.embedding(graph.columns(graph.input(), 0, 1), new float[] {0, 0, -0.05f}, 1);
    GraphValue aggressor =
        graph.embedding(graph.columns(graph.input(), 1, 2), new float[] {0.9f, 0.6f, 0.4f}, 1);
    GraphValue speed = graph.sum(victim, aggressor);
    byte[] bytes = graph.toBytes(graph.concatenated(List.of(speed, speed, speed)), metadata);
    return NeuralSimilarity.of(bytes, "a test");
  }
}
