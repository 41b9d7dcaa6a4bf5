package io.github.liquidscheduler.estimator.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.workload.SimilaritySchema;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.LearnedState;
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
  void mutualDamageIsTheMeanOfWhatBothLose() {
    assertThat(model.mutualSlowdown(LIGHT, HEAVY, V100)).isCloseTo(0.25, within(1e-6));
  }

  @Test
  void anObservedPairIsDrawnToWhatWasObservedAndSurer() {
    double before = model.retainedSpeed(LIGHT, HEAVY, V100).width();
    NeuralSimilarity taught = model;
    for (int i = 0; i < 10; i++) {
      taught = taught.observe(LIGHT, HEAVY, V100, 0.8);
    }
    Prediction after = taught.retainedSpeed(LIGHT, HEAVY, V100);
    assertThat(after.value()).isBetween(0.78, 0.8);
    assertThat(after.width()).isLessThan(before);
    assertThat(after.provenance()).isEqualTo(Provenance.MEASURED);
    assertThat(model.retainedSpeed(LIGHT, HEAVY, V100).width()).isEqualTo(before);
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
  void probesFindTheClassThatAStrangerIsLike() {
    Workload stranger = workload("stranger", 1);
    NeuralSimilarity probed =
        model.observe(LIGHT, stranger, V100, 0.4).observe(HEAVY, stranger, V100, 0.4);

    Prediction answer = probed.retainedSpeed(HUGE, stranger, V100);
    assertThat(answer.value()).isCloseTo(0.35, within(0.02));
    assertThat(answer.provenance()).isEqualTo(Provenance.SIMILAR);
  }

  @Test
  void anUnknownGpuModelIsAnsweredUnsurely() {
    Prediction answer = model.retainedSpeed(LIGHT, HEAVY, GpuModel.of("Z9"));
    assertThat(answer.provenance()).isEqualTo(Provenance.DEFAULT);
    assertThat(answer.width()).isGreaterThan(0.5);
  }

  @Test
  void theClassesToProbeAgainstAreWorkloads() {
    assertThat(model.references()).containsExactly(LIGHT, HEAVY, HUGE);
  }

  @Test
  void aSpeedThatCannotBeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model.observe(LIGHT, HEAVY, V100, 1.2))
        .withMessageContaining("(0, 1.05], but was 1.2");
  }

  @Test
  void whatWasObservedIsRecalledByAModelMadeAlike() {
    Workload stranger = workload("stranger", 1);
    NeuralSimilarity taught =
        model
            .observe(LIGHT, stranger, V100, 0.4)
            .observe(HEAVY, stranger, V100, 0.5)
            .observe(HEAVY, stranger, V100, 0.45)
            .observe(LIGHT, HEAVY, V100, 0.8)
            .observe(LIGHT, LIGHT, V100, 0.6);

    NeuralSimilarity restarted =
        model().observe(LIGHT, LIGHT, V100, 0.2).restoreState(taught.saveState());

    assertThat(restarted.saveState()).isEqualTo(taught.saveState());
    for (Workload victim : List.of(LIGHT, HEAVY, HUGE, stranger)) {
      for (Workload other : List.of(LIGHT, HEAVY, HUGE, stranger)) {
        assertThat(restarted.retainedSpeed(victim, other, V100))
            .isEqualTo(taught.retainedSpeed(victim, other, V100));
      }
    }
  }

  @Test
  void lessonsOfAnotherModelAreRefused() {
    LearnedState strange = new LearnedState("residual", List.of("a", "b", "c"), List.of(0.5, 1.0));
    LearnedState impossible =
        new LearnedState("similarity", List.of("a;;", "b;;", "c"), List.of(1.2, 1.0));
    LearnedState halved =
        new LearnedState("similarity", List.of("a;;", "b;;", "c"), List.of(0.5, 1.5));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> model.restoreState(List.of(strange)))
        .withMessage(
            "a similarity model's learned state must be of kind 'similarity', but one was"
                + " 'residual'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model.restoreState(List.of(impossible)))
        .withMessageContaining("(0, 1.05], but was 1.2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> model.restoreState(List.of(halved)))
        .withMessageContaining("a count must be an integer of at least 1, but was 1.5");
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
    assertThat(shipped.references()).hasSizeBetween(12, 16);
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
