package io.github.liquidscheduler.training.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import io.github.liquidscheduler.estimator.task.regression.ResourceModel;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceTrainerTest {
  /** Those of Salus, which measured memory only. */
  private static final List<ResourceSample> SAMPLES =
      ResourceCsv.published().samples().stream()
          .filter(sample -> sample.task().source().equals("salus"))
          .toList();

  private static final TrainedResources TRAINED = new ResourceTrainer(1).train(SAMPLES);

  @Test
  void theFileAnswersWhatJavaAnswers() {
    FeatureSchema schema = Vocabulary.of(SAMPLES);

    try (ModelFile file = ModelFile.of(TRAINED.onnx(), "test");
        BatchScorer scorer = file.scorer()) {
      float[] answers = new float[file.outputs()];
      for (ResourceSample sample : SAMPLES) {
        float[] row = schema.row(sample.task());
        scorer.score(row, 1, answers);
        for (int i = 0; i < answers.length; i++) {
          float java = TRAINED.regressions().get(i).predict(row);
          assertThat(Math.abs(answers[i] / java - 1)).isLessThan(1e-5f);
        }
      }
    }
  }

  @Test
  void theSameSamplesAndSeedMakeTheSameFile() {
    assertThat(new ResourceTrainer(1).train(SAMPLES).onnx()).isEqualTo(TRAINED.onnx());
  }

  @Test
  void theShippedModelIsTheOneThatThePublishedFiguresMake() throws Exception {
    TrainedResources trained = new ResourceTrainer(1).train(ResourceCsv.published().samples());

    try (ResourceModel shipped = ResourceModel.shipped();
        ResourceModel made = load(trained)) {
      assertThat(shipped.metadata().trainingDataHash())
          .isEqualTo(made.metadata().trainingDataHash());
      assertThat(shipped.metadata().heldOutError()).isEqualTo(made.metadata().heldOutError());
    }
  }

  @Test
  void tooFewMeasurementsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResourceTrainer(1).train(SAMPLES.subList(0, 9)))
        .withMessageContaining("at least 10");
  }

  @Test
  void whatNeverVariesIsLearnedAsItIs() {
    List<ResourceSample> constant =
        SAMPLES.stream()
            .map(
                sample ->
                    new ResourceSample(
                        TaskProfile.builder(Workload.builder("resnet50").batchSize(32).build())
                            .build(),
                        Map.of(ResourceTarget.CPU, 3.0)))
            .toList();

    try (LearnedResourceEstimator estimator = new ResourceTrainer(1).train(constant).load()) {
      assertThat(estimator.estimate(constant.getFirst().task()).of(ResourceTarget.CPU).value())
          .isCloseTo(3, within(1e-3));
    }
  }

  @Test
  void aCategoryThatTheTrainingDidNotHaveIsEstimatedAllTheSame() {
    Workload workload =
        Workload.builder("resnet50")
            .batchSize(16)
            .framework("never-seen")
            .hyperparameter("optimizer", "never-seen")
            .build();
    TaskProfile task = TaskProfile.builder(workload).build();

    try (LearnedResourceEstimator estimator = TRAINED.load()) {
      Prediction memory = estimator.estimate(task).of(ResourceTarget.GPU_MEMORY);
      assertThat(memory.value()).isPositive().isFinite();
    }
  }

  @Test
  void whatWasNeverMeasuredIsNotLearned() {
    try (ResourceModel model = load(TRAINED)) {
      assertThat(model.targets()).containsExactly(ResourceTarget.GPU_MEMORY);
    }
  }

  private static ResourceModel load(TrainedResources trained) {
    return ResourceModel.of(ModelFile.of(trained.onnx(), "test"));
  }
}
