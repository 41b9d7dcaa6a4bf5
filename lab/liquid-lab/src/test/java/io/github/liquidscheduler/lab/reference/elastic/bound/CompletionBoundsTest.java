package io.github.liquidscheduler.lab.reference.elastic.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.reference.elastic.AfsL;
import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.ElasticRun;
import io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias;
import io.github.liquidscheduler.lab.reference.elastic.FixedSrtf;
import io.github.liquidscheduler.lab.reference.elastic.FixedTiresias;
import io.github.liquidscheduler.lab.reference.elastic.MarginalGain;
import io.github.liquidscheduler.lab.reference.elastic.OptimusLike;
import io.github.liquidscheduler.lab.reference.elastic.RandomJobs;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.lab.reference.elastic.ServiceQueues;
import io.github.liquidscheduler.lab.reference.elastic.price.ShadowPrice;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CompletionBoundsTest {

  private static final ThroughputCurve ONE_GPU = ThroughputCurve.of(Map.of(1, 1.0));
  private static final ThroughputCurve CURVE = ThroughputCurve.of(Map.of(1, 1.0, 2, 1.6, 4, 2.0));

  private static final List<ElasticPolicy> POLICIES =
      List.of(
          new FixedTiresias(ServiceQueues.TWO),
          ElasticTiresias.builder("elastic-tiresias").pendingLimit(0).build(),
          new MarginalGain(0, false),
          new AfsL(),
          new OptimusLike(),
          new FixedSrtf(),
          ShadowPrice.unknownDurations(),
          ShadowPrice.knownDurations(),
          ShadowPrice.steadyLoad());

  @Property(tries = 100)
  void noPolicyIsBelowTheBounds(@ForAll long seed, @ForAll @IntRange(min = 4, max = 12) int gpus) {
    ElasticTrace trace = RandomJobs.trace(seed);
    List<ElasticRun> runs =
        POLICIES.stream()
            .map(policy -> ElasticSimulator.of(gpus, policy, ScalingCost.ZERO).run(trace))
            .toList();

    for (ElasticRun guide : List.of(runs.get(0), runs.get(runs.size() - 1))) {
      CompletionBounds bounds = CompletionBounds.of(trace, guide);
      assertThat(bounds.priced()).isGreaterThanOrEqualTo(bounds.alone());
      assertThat(runs)
          .allSatisfy(
              run -> assertThat(run.averageCompletion()).isGreaterThan(bounds.priced() - 1e-5));
    }
  }

  @Test
  void aJobAloneTakesWhatItMust() {
    CompletionBounds bounds = bounds(ElasticTrace.of(List.of(job(0, 7, CURVE, 100))), 4);

    assertThat(bounds.alone()).isEqualTo(50);
    assertThat(bounds.priced()).isCloseTo(50, within(1e-9));
  }

  @Test
  void onOneGpuTheShortestRemainingTimeFirstIsBest() {
    ElasticTrace trace =
        ElasticTrace.of(
            List.of(job(0, 0, ONE_GPU, 1000), job(1, 100, ONE_GPU, 200), job(2, 0, ONE_GPU, 400)));
    ElasticRun best = ElasticSimulator.of(1, new FixedSrtf(), ScalingCost.ZERO).run(trace);
    CompletionBounds bounds = CompletionBounds.of(trace, best);

    // 100 to 300, 0 to 100 and 300 to 600, 600 to 1600.
    assertThat(best.averageCompletion()).isCloseTo((200 + 600 + 1600) / 3.0, within(1e-6));
    assertThat(bounds.priced()).isBetween(0.9 * 800, 800 + 1e-6);
    assertThat(bounds.alone()).isCloseTo((1000 + 200 + 400) / 3.0, within(1e-9));
  }

  @Test
  void twoEqualJobsShareTheirGpus() {
    ElasticTrace trace = ElasticTrace.of(List.of(job(0, 0, CURVE, 1600), job(1, 0, CURVE, 1600)));

    // Both on two GPUs: 1000 s each. One after the other on four: 800 and 1600 s.
    assertThat(bounds(trace, 4).priced()).isBetween(0.97 * 1000, 1000 + 1e-6);
  }

  @Test
  void aRunOfOtherJobsIsRefused() {
    ElasticTrace one = ElasticTrace.of(List.of(job(0, 0, CURVE, 1600)));
    ElasticRun other =
        ElasticSimulator.of(4, new AfsL(), ScalingCost.ZERO).run(RandomJobs.trace(1));

    assertThatThrownBy(() -> CompletionBounds.of(one, other))
        .hasMessage("the run must be of the 1 job of the trace, but has 12");
  }

  private static CompletionBounds bounds(ElasticTrace trace, int gpus) {
    ElasticPolicy policy = ShadowPrice.knownDurations();
    return CompletionBounds.of(
        trace, ElasticSimulator.of(gpus, policy, ScalingCost.ZERO).run(trace));
  }

  private static ElasticJob job(long id, long arrival, ThroughputCurve curve, long iterations) {
    return new ElasticJob(
        id,
        arrival,
        new ElasticJob.Work("m", curve, iterations),
        new ElasticJob.Sizes(1, 1, curve.peak()));
  }
}
