package io.github.liquidscheduler.training.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In a world where fast jobs suffer and slow ones press. */
class UnseenFamiliesTest {
  private static final GpuModel GPU = GpuModel.of("V100");
  private static final int CLASSES = 8;
  private static final int ADDED_EFFECTS = PairFeatures.width() - PairFeatures.LOADS - 2;

  @Test
  void effectsAddUpToWhatWasMeasured() {
    List<Measurement> measurements = measurements("family", CLASSES);
    ClassHistory history = historyOf(measurements);
    for (Measurement each : measurements) {
      double[] row = PairFeatures.row(each.victim(), each.coRunner(), GPU, history);
      assertThat(row[ADDED_EFFECTS]).isCloseTo(each.retainedSpeed(), within(0.05));
    }
  }

  @Test
  void aStrangerIsTakenForThoseOfItsSpeed() {
    ClassHistory history = historyOf(measurements("family", CLASSES));
    ColocationProfile known = profile("family", 4);
    double slow = PairFeatures.row(profile("new", 0), known, GPU, history)[ADDED_EFFECTS];
    double fast = PairFeatures.row(profile("new", 7), known, GPU, history)[ADDED_EFFECTS];
    assertThat(slow).isCloseTo(law(0, 4), within(0.12));
    assertThat(fast).isCloseTo(law(7, 4), within(0.12)).isLessThan(slow);
  }

  @Test
  void besideAStrangerTheKnownSidesMedianIsOneEstimate() {
    ClassHistory history = historyOf(measurements("family", CLASSES));
    double[] row = PairFeatures.row(profile("family", 2), profile("new", 5), GPU, history);
    assertThat(row[ADDED_EFFECTS + 1]).isCloseTo((law(2, 3) + law(2, 4)) / 2, within(1e-9));
  }

  @Test
  void variantsOfAHiddenFamilyAreHiddenWithIt() {
    List<Measurement> all = measurements("family", 3);
    List<Measurement> also = new ArrayList<>(measurements("family0 TensorFlow", 2));
    also.addAll(measurements("other", 2));
    PairHoldOut.Fold fold = PairHoldOut.FAMILY.of(all, also, 1).getFirst();
    assertThat(fold.name()).isEqualTo("family family0");
    assertThat(fold.also()).hasSize(4);
    assertThat(fold.learned())
        .noneMatch(each -> each.victimClass().family().startsWith("family0"))
        .noneMatch(each -> each.coRunnerClass().family().startsWith("family0"))
        .hasSize(fold.train().size() + 4);
    assertThat(PairHoldOut.FAMILY.of(all, also, 1)).hasSize(3);
  }

  private static ClassHistory historyOf(List<Measurement> measurements) {
    return new SpeedExamples(measurements).history();
  }

  private static ColocationProfile profile(String name, int number) {
    Workload workload = Workload.builder(name + number).batchSize(8).build();
    return new ColocationProfile(workload, 1 << number, Double.NaN, Double.NaN, Double.NaN);
  }

  private static double law(int victim, int aggressor) {
    return 0.8 - 0.05 * victim + 0.03 * aggressor;
  }

  private static List<Measurement> measurements(String name, int classes) {
    List<Measurement> measurements = new ArrayList<>();
    for (int victim = 0; victim < classes; victim++) {
      for (int other = 0; other < classes; other++) {
        measurements.add(
            new Measurement(GPU, profile(name, victim), profile(name, other), law(victim, other)));
      }
    }
    return measurements;
  }
}
