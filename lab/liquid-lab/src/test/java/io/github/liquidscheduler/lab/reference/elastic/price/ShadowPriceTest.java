package io.github.liquidscheduler.lab.reference.elastic.price;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.lab.reference.elastic.ElasticRun;
import io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator;
import io.github.liquidscheduler.lab.reference.elastic.FinishedJob;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShadowPriceTest {

  private static final ThroughputCurve CURVE =
      ThroughputCurve.of(Map.of(1, 1.0, 2, 1.8, 4, 3.0, 8, 4.0, 16, 3.5));

  @Test
  void aJobAloneGetsItsFastestSize() {
    assertThat(run(64, 400).jobs()).extracting(FinishedJob::completion).containsExactly(100.0);
  }

  @Test
  void equalJobsEndSoonerOnAverageThanSideBySide() {
    assertThat(run(3, 90, 90, 90).averageCompletion()).isLessThan(90);
  }

  @Test
  void ofTwoJobsThatAreKnownTheShorterGetsNoLess() {
    List<FinishedJob> jobs = run(8, 300, 3000).jobs();

    assertThat(jobs.get(0).completion()).isLessThanOrEqualTo(100);
    assertThat(jobs.get(1).completion()).isGreaterThan(3000 / 4.0);
  }

  @Test
  void whereDurationsAreUnknownEqualProgressMeansEqualSizes() {
    ElasticTrace trace = trace(300, 3000);
    ElasticRun run =
        ElasticSimulator.of(8, ShadowPrice.unknownDurations(), ScalingCost.ZERO).run(trace);

    assertThat(run.jobs().get(0).completion()).isEqualTo(100);
    assertThat(run.jobs().get(0).gpuSeconds()).isEqualTo(400);
  }

  @Test
  void minimaHold() {
    ElasticJob job =
        new ElasticJob(0, 0, new ElasticJob.Work("m", CURVE, 100), new ElasticJob.Sizes(4, 16, 16));
    ElasticRun run =
        ElasticSimulator.of(16, ShadowPrice.knownDurations(), ScalingCost.ZERO)
            .run(ElasticTrace.of(List.of(job)));

    assertThat(run.jobs().get(0).completion()).isEqualTo(100 / 3.5);
  }

  private static ElasticRun run(int gpus, long... iterations) {
    return ElasticSimulator.of(gpus, ShadowPrice.knownDurations(), ScalingCost.ZERO)
        .run(trace(iterations));
  }

  private static ElasticTrace trace(long... iterations) {
    return ElasticTrace.of(
        LongStream.range(0, iterations.length)
            .mapToObj(
                id ->
                    new ElasticJob(
                        id,
                        0,
                        new ElasticJob.Work("m", CURVE, iterations[(int) id]),
                        new ElasticJob.Sizes(1, 1, 16)))
            .toList());
  }
}
