package io.github.liquidscheduler.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.shareddata.SharedData;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Without models, which take minutes to train: what is left is what a cluster learns itself. */
@Tag("public-data")
class LocalPairsEvaluationTest {

  @Test
  void sixteenPairsTellOfTheOtherPairsOfAFamily() throws IOException {
    List<Measurement> gavel = gavel();
    LocalPairsEvaluation evaluation = new LocalPairsEvaluation(gavel, List.of(), true, 1);
    try (CompositePredictor predictor = CompositePredictor.builder().build()) {
      List<LocalPairsEvaluation.Row> rows =
          PairHoldOut.FAMILY.of(gavel, List.of(), 1).stream()
              .map(fold -> evaluation.row(fold, predictor, 16))
              .toList();

      assertThat(mean(rows, row -> row.watched().error()))
          .isLessThan(0.09)
          .isLessThan(0.55 * mean(rows, row -> row.first().error()));
      assertThat(mean(rows, row -> row.watched().coverage())).isBetween(0.85, 0.97);
      assertThat(mean(rows, row -> row.watched().width()))
          .isLessThan(0.8 * mean(rows, row -> row.first().width()));
      assertThat(mean(rows, LocalPairsEvaluation.Row::additive))
          .isLessThan(mean(rows, LocalPairsEvaluation.Row::constant));
    }
  }

  @Test
  void driftIsNoticedWhereThereIsSome() throws IOException {
    List<Measurement> gavel = gavel();
    DriftEvaluation evaluation = new DriftEvaluation(gavel, List.of(), 1);
    Map<GpuModel, DriftEvaluation.Streams> byGpu = new TreeMap<>();
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      for (PairHoldOut.Fold fold : PairHoldOut.PAIR.of(gavel, List.of(), 1)) {
        evaluation.add(byGpu, fold, predictor, 2);
      }
    }
    byGpu.forEach(
        (gpu, streams) -> {
          DriftEvaluation.Row row = streams.row(gpu);
          assertThat(row.calm()).isEqualTo(10);
          assertThat(row.alarms()).isZero();
          assertThat(row.noticed()).isEqualTo(row.slowed()).isEqualTo(10);
          assertThat(row.observations()).isLessThan(30);
        });
    assertThat(byGpu).hasSize(3);
  }

  private static List<Measurement> gavel() throws IOException {
    return GavelMeasurements.read(SharedData.file("gavel/simulation_throughputs.json"));
  }

  private static double mean(
      List<LocalPairsEvaluation.Row> rows, ToDoubleFunction<LocalPairsEvaluation.Row> part) {
    return rows.stream().mapToDouble(part).average().orElseThrow();
  }
}
