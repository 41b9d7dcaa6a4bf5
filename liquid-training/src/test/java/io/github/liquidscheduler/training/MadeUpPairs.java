package io.github.liquidscheduler.training;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.interference.InterferenceTrainer;
import io.github.liquidscheduler.training.interference.Learners;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.SimilarityTrainer;
import java.util.ArrayList;
import java.util.List;

/**
 * A made-up law, who computes hard suffers from and does contention to others who do, and its
 * models.
 */
final class MadeUpPairs {
  static final GpuModel GPU = GpuModel.of("V100");
  static final int CLASSES = 8;
  static final List<Measurement> MEASUREMENTS = measurements();
  static final byte[] NETWORK = new InterferenceTrainer(1).train(MEASUREMENTS, "ab");
  static final byte[] TREES = new InterferenceTrainer(Learners.TREES, 1).train(MEASUREMENTS, "ab");
  static final byte[] SIMILARITY = new SimilarityTrainer(1).train(MEASUREMENTS, "ab");

  private MadeUpPairs() {}

  /** Returns the model that these learners made of the law. */
  static byte[] model(Learners learners) {
    return learners == Learners.TREES ? TREES : NETWORK;
  }

  static ColocationProfile profile(int number) {
    Workload workload =
        Workload.builder("family" + number / 2).batchSize(8 << (number % 2)).build();
    double load = (number + 1.0) / CLASSES;
    return new ColocationProfile(workload, 100.0 / (number + 1), load, load * 0.5, 1e9);
  }

  static double law(int victim, int other) {
    double load = (victim + other + 2.0) / CLASSES;
    return load <= 1 ? 1 - 0.1 * load : 0.9 / load;
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
}
