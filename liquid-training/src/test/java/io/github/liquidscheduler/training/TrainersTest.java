package io.github.liquidscheduler.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Colocation;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trains on a made-up law: who computes hard suffers from and does harm to others who do. */
class TrainersTest {
  private static final GpuModel GPU = GpuModel.of("V100");
  private static final int CLASSES = 8;

  private static final List<Measurement> MEASUREMENTS = measurements();
  private static final byte[] INTERFERENCE = new InterferenceTrainer(1).train(MEASUREMENTS, "ab");

  @Test
  void theInterferenceModelLearnsTheLawAndIsTheSameForTheSameSeed() {
    assertThat(new InterferenceTrainer(1).train(MEASUREMENTS, "ab")).isEqualTo(INTERFERENCE);
    try (CompositePredictor predictor =
        CompositePredictor.builder().model(ModelFile.of(INTERFERENCE, "a test")).build()) {
      double error = 0;
      for (Measurement each : MEASUREMENTS) {
        double said = predictor.retainedSpeed(each.colocation()).value();
        error += Math.abs(said - each.retainedSpeed()) / MEASUREMENTS.size();
      }
      assertThat(error).isLessThan(0.05);
    }
  }

  @Test
  void aNetworkTrainedOnLoadNeverSpeedsUpWithLoad() {
    try (CompositePredictor predictor =
        CompositePredictor.builder().model(ModelFile.of(INTERFERENCE, "a test")).build()) {
      for (int number = 0; number < CLASSES; number++) {
        double before = 2;
        for (double load = 0; load <= 1; load += 0.05) {
          Workload other = Workload.builder("other").build();
          ColocationProfile coRunner =
              new ColocationProfile(other, 10, load, load * 0.5, Double.NaN);
          double now =
              predictor
                  .retainedSpeed(new Colocation(GPU, profile(number), List.of(coRunner)))
                  .value();
          assertThat(now).isLessThanOrEqualTo(before + 1e-6);
          before = now;
        }
      }
    }
  }

  @Test
  void theSimilarityModelLearnsTheLawAndIsTheSameForTheSameSeed() {
    byte[] bytes = new SimilarityTrainer(1).train(MEASUREMENTS, "ab");
    assertThat(new SimilarityTrainer(1).train(MEASUREMENTS, "ab")).isEqualTo(bytes);
    try (ModelFile file = ModelFile.of(bytes, "a test")) {
      NeuralSimilarity model = NeuralSimilarity.of(file);
      double said = model.retainedSpeed(profile(7).workload(), profile(7).workload(), GPU).value();
      assertThat(said).isCloseTo(law(7, 7), within(0.06));
    }
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

  private static List<Measurement> measurements() {
    List<Measurement> measurements = new ArrayList<>();
    for (int victim = 0; victim < CLASSES; victim++) {
      for (int other = 0; other < CLASSES; other++) {
        measurements.add(new Measurement(GPU, profile(victim), profile(other), law(victim, other)));
      }
    }
    return measurements;
  }

  private static ColocationProfile profile(int number) {
    Workload workload =
        Workload.builder("family" + number / 2).batchSize(8 << (number % 2)).build();
    double load = (number + 1.0) / CLASSES;
    return new ColocationProfile(workload, 100.0 / (number + 1), load, load * 0.5, 1e9);
  }

  private static double law(int victim, int other) {
    double load = (victim + other + 2.0) / CLASSES;
    return load <= 1 ? 1 - 0.1 * load : 0.9 / load;
  }
}
