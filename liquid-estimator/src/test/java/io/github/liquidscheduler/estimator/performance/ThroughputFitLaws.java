package io.github.liquidscheduler.estimator.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ThroughputFitLaws {

  @Property(tries = 500)
  void pointsWithoutNoiseLeadBackToTheirModel(@ForAll("models") ThroughputModel model) {
    ThroughputModel fitted = ThroughputFit.of(points(model, 1, 8, 64));

    for (int gpus : new int[] {1, 2, 3, 4, 8, 16}) {
      for (int batch : new int[] {4, 16, 100}) {
        for (int nodes : new int[] {1, (gpus + 3) / 4, gpus}) {
          Replicas replicas = new Replicas(gpus, nodes);
          assertThat(fitted.iterationSeconds(replicas, batch))
              .isCloseTo(model.iterationSeconds(replicas, batch), withinPercentage(0.1));
        }
      }
    }
  }

  @Property(tries = 100)
  void anyPointsGiveAModelThatIsNeverSlowerWithinANode(
      @ForAll("noise") List<ThroughputPoint> points) {
    ThroughputModel fitted = ThroughputFit.of(points);

    for (int gpus = 2; gpus <= 64; gpus *= 2) {
      assertThat(fitted.samplesPerSecond(new Replicas(gpus, 1), 16, 0))
          .isGreaterThanOrEqualTo(fitted.samplesPerSecond(new Replicas(gpus, 2), 16, 0))
          .isPositive()
          .isFinite();
    }
  }

  private static List<ThroughputPoint> points(ThroughputModel model, int... batches) {
    List<ThroughputPoint> points = new ArrayList<>();
    for (int gpus : new int[] {1, 2, 4, 8, 16}) {
      for (int batch : batches) {
        for (int nodes : gpus == 1 ? new int[] {1} : new int[] {1, 2}) {
          Replicas replicas = new Replicas(gpus, nodes);
          double seconds = model.iterationSeconds(replicas, batch);
          points.add(new ThroughputPoint(replicas, batch, seconds));
        }
      }
    }
    return points;
  }

  @Provide
  Arbitrary<ThroughputModel> models() {
    return Combinators.combine(
            computing(), lines(0.01, 0.3, 0.05), lines(0, 1, 0.05), between(1, 10))
        .as(
            (computing, within, beyond, gamma) ->
                new ThroughputModel(
                    computing,
                    within,
                    new Line(
                        1.1 * within.constant() + beyond.constant(),
                        1.1 * within.slope() + beyond.slope()),
                    gamma));
  }

  @Provide
  Arbitrary<List<ThroughputPoint>> noise() {
    Arbitrary<Integer> gpus = Arbitraries.integers().between(1, 32);
    Arbitrary<Integer> nodes = Arbitraries.integers().between(1, 4);
    Arbitrary<Integer> batches = Arbitraries.of(1, 16, 256);
    return Combinators.combine(gpus, nodes, batches, between(1e-4, 1000))
        .as(
            (all, spread, batch, seconds) ->
                new ThroughputPoint(new Replicas(all, Math.min(all, spread)), batch, seconds))
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  /** Each sample takes some time to compute. */
  private static Arbitrary<Line> computing() {
    return Combinators.combine(between(0.01, 0.5), between(1e-3, 0.01)).as(Line::new);
  }

  private static Arbitrary<Line> lines(double least, double most, double mostSlope) {
    return Combinators.combine(between(least, most), between(0, mostSlope)).as(Line::new);
  }

  private static Arbitrary<Double> between(double least, double most) {
    return Arbitraries.doubles().between(least, most).ofScale(6);
  }
}
