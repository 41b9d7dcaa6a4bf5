package io.github.liquidscheduler.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.prediction.Goodput.BatchBounds;
import io.github.liquidscheduler.prediction.Goodput.BatchSize;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class GoodputLaws {

  @Property
  void goodputIsAtMostThroughput(
      @ForAll("goodputs") Goodput goodput,
      @ForAll("replicas") Replicas replicas,
      @ForAll @IntRange(min = 1, max = 500) int local,
      @ForAll @IntRange(max = 4) int accumulations) {
    assertThat(goodput.at(replicas, new BatchSize(local, accumulations)))
        .isPositive()
        .isLessThanOrEqualTo(goodput.throughput().samplesPerSecond(replicas, local, accumulations));
  }

  @Property
  void throughputIsNeverLowerWithinANode(
      @ForAll("goodputs") Goodput goodput,
      @ForAll @IntRange(min = 2, max = 64) int gpus,
      @ForAll @IntRange(min = 1, max = 500) int local) {
    ThroughputModel model = goodput.throughput();

    assertThat(model.samplesPerSecond(new Replicas(gpus, 1), local, 0))
        .isGreaterThanOrEqualTo(model.samplesPerSecond(new Replicas(gpus, 2), local, 0));
  }

  @Property
  void theBestBatchIsWithinBoundsAndNoOtherIsBetter(
      @ForAll("goodputs") Goodput goodput, @ForAll("replicas") Replicas replicas) {
    BatchBounds bounds = goodput.bounds();
    double best =
        goodput
            .best(replicas)
            .map(
                batch -> {
                  assertThat(isWithin(goodput, replicas, batch)).isTrue();
                  return goodput.at(replicas, batch);
                })
            .orElse(0.0);

    for (int times = 0; times <= bounds.accumulations(); times++) {
      for (int local = bounds.smallestLocal(); local <= bounds.largestLocal(); local++) {
        BatchSize batch = new BatchSize(local, times);
        if (isWithin(goodput, replicas, batch)) {
          assertThat(goodput.at(replicas, batch)).isLessThanOrEqualTo(best * (1 + 1e-9));
        }
      }
    }
  }

  private static boolean isWithin(Goodput goodput, Replicas replicas, BatchSize batch) {
    BatchBounds bounds = goodput.bounds();
    return batch.samples(replicas) >= goodput.efficiency().initialBatch()
        && batch.samples(replicas) <= bounds.largest()
        && batch.local() >= bounds.smallestLocal()
        && batch.local() <= bounds.largestLocal()
        && batch.accumulations() <= bounds.accumulations();
  }

  @Provide
  Arbitrary<Replicas> replicas() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 64), Arbitraries.integers().between(1, 16))
        .as((gpus, nodes) -> new Replicas(gpus, Math.min(gpus, nodes)));
  }

  @Provide
  Arbitrary<Goodput> goodputs() {
    return Combinators.combine(models(), efficiencies(), bounds()).as(Goodput::new);
  }

  private static Arbitrary<ThroughputModel> models() {
    return Combinators.combine(lines(0.001), lines(0), lines(0), between(1, 10))
        .as(
            (computing, within, beyond, gamma) ->
                new ThroughputModel(
                    computing,
                    within,
                    new Line(
                        within.constant() + beyond.constant(), within.slope() + beyond.slope()),
                    gamma));
  }

  private static Arbitrary<StatisticalEfficiency> efficiencies() {
    return Combinators.combine(between(0, 100_000), Arbitraries.integers().between(1, 512))
        .as(StatisticalEfficiency::new);
  }

  private static Arbitrary<BatchBounds> bounds() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 32),
            Arbitraries.integers().between(0, 200),
            Arbitraries.integers().between(1, 20_000),
            Arbitraries.integers().between(0, 3))
        .as((least, more, all, times) -> new BatchBounds(least, least + more, all, times));
  }

  private static Arbitrary<Line> lines(double least) {
    return Combinators.combine(between(least, 1), between(0, 0.1)).as(Line::new);
  }

  private static Arbitrary<Double> between(double least, double most) {
    return Arbitraries.doubles().between(least, most).ofScale(4);
  }
}
