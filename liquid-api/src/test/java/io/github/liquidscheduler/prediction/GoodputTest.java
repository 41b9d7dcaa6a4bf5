package io.github.liquidscheduler.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.prediction.Goodput.BatchBounds;
import io.github.liquidscheduler.prediction.Goodput.BatchSize;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import org.junit.jupiter.api.Test;

class GoodputTest {
  private static final Line COMPUTING = new Line(0.1, 0.01);
  private static final ThroughputModel MODEL =
      new ThroughputModel(COMPUTING, new Line(0.3, 0.05), new Line(0.4, 0.1), 2);

  @Test
  void oneGpuOnlyComputes() {
    assertThat(MODEL.iterationSeconds(new Replicas(1, 1), 30)).isCloseTo(0.4, within(1e-12));
  }

  @Test
  void computingAndSynchronisingOverlapByGamma() {
    assertThat(MODEL.iterationSeconds(new Replicas(2, 1), 30)).isCloseTo(0.5, within(1e-12));
    assertThat(MODEL.iterationSeconds(new Replicas(4, 2), 70)).isCloseTo(1, within(1e-12));
  }

  @Test
  void accumulatedGradientsAreSynchronisedOnce() {
    Replicas two = new Replicas(2, 1);

    assertThat(MODEL.iterationSeconds(two, 30, 3)).isCloseTo(3 * 0.4 + 0.5, within(1e-12));
    assertThat(MODEL.samplesPerSecond(two, 30, 3)).isCloseTo(240 / 1.7, within(1e-9));
  }

  @Test
  void aSampleOfALargeBatchTeachesLessUnlessGradientsAreNoisy() {
    StatisticalEfficiency noisy = StatisticalEfficiency.of(9, 1, 100);
    StatisticalEfficiency clear = StatisticalEfficiency.of(0, 1, 100);

    assertThat(noisy.noiseScale()).isEqualTo(900);
    assertThat(noisy.at(1100)).isEqualTo(0.5);
    assertThat(clear.at(1100)).isEqualTo(1 / 11.0);
    assertThat(noisy.at(50)).isEqualTo(1);
  }

  @Test
  void noisierGradientsHaveALargerBestBatch() {
    Replicas four = new Replicas(4, 1);

    assertThat(goodput(0).best(four)).contains(new BatchSize(25, 0));
    assertThat(goodput(1000).best(four).orElseThrow().samples(four)).isBetween(200L, 1000L);
    assertThat(goodput(1e9).best(four)).contains(new BatchSize(256, 4));
  }

  @Test
  void whereNoBatchFitsThereIsNoBest() {
    assertThat(goodput(1000).best(new Replicas(10_000, 100))).isEmpty();
  }

  @Test
  void synchronisingWithinANodeIsNotSlowerThanAcross() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThroughputModel(COMPUTING, new Line(1, 0), new Line(0.5, 0), 1))
        .withMessageContaining("across nodes");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Line(-1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Replicas(2, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> new BatchSize(0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new BatchBounds(2, 1, 10, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> StatisticalEfficiency.of(1, 0, 8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThroughputModel(Line.ZERO, Line.ZERO, Line.ZERO, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ThroughputModel(COMPUTING, Line.ZERO, Line.ZERO, 11));
  }

  private static Goodput goodput(double noiseScale) {
    return new Goodput(
        MODEL, new StatisticalEfficiency(noiseScale, 100), new BatchBounds(8, 256, 8000, 4));
  }
}
