package io.github.liquidscheduler.training;

import static io.github.liquidscheduler.training.MadeUpPairs.CLASSES;
import static io.github.liquidscheduler.training.MadeUpPairs.GPU;
import static io.github.liquidscheduler.training.MadeUpPairs.MEASUREMENTS;
import static io.github.liquidscheduler.training.MadeUpPairs.SIMILARITY;
import static io.github.liquidscheduler.training.MadeUpPairs.law;
import static io.github.liquidscheduler.training.MadeUpPairs.profile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.interference.Learners;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trains on a made-up law: who computes hard suffers from and does contention to others who do. */
@Tag("slow")
class TrainersTest {
  @Test
  void theInterferenceModelIsTheSameForTheSameSeed() {
    assertThat(new InterferenceTrainer(1).train(MEASUREMENTS, "ab")).isEqualTo(MadeUpPairs.NETWORK);
    assertThat(new InterferenceTrainer(Learners.TREES, 1).train(MEASUREMENTS, "ab"))
        .isEqualTo(MadeUpPairs.TREES);
  }

  @ParameterizedTest
  @EnumSource(Learners.class)
  void theInterferenceModelLearnsTheLaw(Learners learners) {
    try (CompositePredictor predictor = predictor(learners)) {
      double error = 0;
      for (Measurement each : MEASUREMENTS) {
        double said = predictor.retainedSpeed(each.colocation()).value();
        error += Math.abs(said - each.retainedSpeed()) / MEASUREMENTS.size();
      }
      assertThat(error).isLessThan(0.05);
    }
  }

  @ParameterizedTest
  @EnumSource(Learners.class)
  void whatWasTrainedOnLoadNeverSpeedsUpWithLoad(Learners learners) {
    try (CompositePredictor predictor = predictor(learners)) {
      for (int number = 0; number < CLASSES; number++) {
        double before = 2;
        for (double load = 0; load <= 1; load += 0.05) {
          Workload other = Workload.builder("other").build();
          ColocationProfile coRunner =
              new ColocationProfile(other, 10, load, load * 0.5, Double.NaN);
          double now =
              predictor
                  .retainedSpeed(new ColocationQuery(GPU, profile(number), List.of(coRunner)))
                  .value();
          assertThat(now).isLessThanOrEqualTo(before + 1e-6);
          before = now;
        }
      }
    }
  }

  @Test
  void networksAndTreesAreBlended() {
    ColocationQuery asked = MEASUREMENTS.getFirst().colocation();
    try (CompositePredictor network = predictor(Learners.NETWORK);
        CompositePredictor trees = predictor(Learners.TREES);
        CompositePredictor both =
            CompositePredictor.builder()
                .model(network(), "a test")
                .model(trees(), "a test")
                .build()) {
      double one = network.retainedSpeed(asked).value();
      double other = trees.retainedSpeed(asked).value();
      assertThat(both.retainedSpeed(asked).value())
          .isBetween(Math.min(one, other) - 0.02, Math.max(one, other) + 0.02);
    }
  }

  @Test
  void aFileSaysWhatItIsMadeOf() {
    try (ModelFile network = ModelFile.of(network(), "a test");
        ModelFile trees = ModelFile.of(trees(), "a test")) {
      assertThat(network.metadata().note("learners")).isEqualTo("network");
      assertThat(trees.metadata().note("learners")).isEqualTo("trees");
    }
  }

  @Test
  void filesSwappedByAccidentAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NeuralSimilarity.of(trees(), "a test"))
        .withMessageContaining("swapped");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompositePredictor.builder().model(SIMILARITY, "a test"))
        .withMessageContaining("swapped");
  }

  @Test
  void theSimilarityModelLearnsTheLawAndIsTheSameForTheSameSeed() {
    assertThat(new SimilarityTrainer(1).train(MEASUREMENTS, "ab")).isEqualTo(SIMILARITY);
    NeuralSimilarity model = NeuralSimilarity.of(SIMILARITY, "a test");
    double said = model.retainedSpeed(profile(7).workload(), profile(7).workload(), GPU).value();
    assertThat(said).isCloseTo(law(7, 7), within(0.06));
  }

  @Test
  void tooFewMeasurementsAreRefused() {
    List<Measurement> few = MEASUREMENTS.subList(0, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InterferenceTrainer(1).train(few, "ab"))
        .withMessageContaining("at least 40 measured co-locations, but there were 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SimilarityTrainer(1).train(few, "ab"))
        .withMessageContaining("at least 20 measured pairs");
  }

  private static CompositePredictor predictor(Learners learners) {
    return CompositePredictor.builder().model(MadeUpPairs.model(learners), "a test").build();
  }

  private static byte[] network() {
    return MadeUpPairs.model(Learners.NETWORK);
  }

  private static byte[] trees() {
    return MadeUpPairs.model(Learners.TREES);
  }
}
