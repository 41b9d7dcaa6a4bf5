package io.github.liquidscheduler.simulator.conditions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DurationKnowledgeTest {

  private static final Duration TRUTH = Duration.ofSeconds(1000);

  private static List<Double> toldWithin(double factor, long seed) {
    DurationKnowledge durationKnowledge = DurationKnowledge.within(factor, seed);
    return IntStream.range(0, 1000)
        .mapToObj(job -> durationKnowledge.of(TRUTH, job).orElseThrow().toNanos() / 1e9)
        .toList();
  }

  @Test
  void whatIsToldIsWithinTheFactorOfTheTruth() {
    List<Double> told = toldWithin(2, 1);

    assertThat(told).allMatch(seconds -> seconds >= 499.9 && seconds <= 2000.1);
    assertThat(told.stream().filter(seconds -> seconds < 1000).count()).isBetween(400L, 600L);
  }

  @Test
  void ofLogNormalErrorsTwoThirdsAreWithinTheStandardDeviation() {
    DurationKnowledge known = DurationKnowledge.logNormal(0.5, 1);

    assertThat(
            IntStream.range(0, 1000)
                .mapToDouble(job -> known.of(TRUTH, job).orElseThrow().toNanos() / 1e12)
                .filter(told -> told > Math.exp(-0.5) && told < Math.exp(0.5))
                .count())
        .isBetween(640L, 720L);
    assertThatThrownBy(() -> DurationKnowledge.logNormal(-1, 1)).hasMessageContaining("was -1");
  }

  @Test
  void errorsFollowFromTheSeed() {
    assertThat(toldWithin(2, 1)).isEqualTo(toldWithin(2, 1)).isNotEqualTo(toldWithin(2, 2));
  }

  @Test
  void aFactorOfOneIsExact() {
    assertThat(DurationKnowledge.within(1, 5).of(TRUTH, 3)).contains(TRUTH);
    assertThat(DurationKnowledge.exact().of(TRUTH, 3)).contains(TRUTH);
  }

  @Test
  void aLimitIsWhatTheJobsUserSet() {
    TraceJob.Builder job = TraceJob.builder("1").duration(TRUTH);

    assertThat(DurationKnowledge.limits().of(job.build(), TRUTH, 3)).isEmpty();
    assertThat(DurationKnowledge.limits().of(job.timeLimit(Duration.ofHours(1)).build(), TRUTH, 3))
        .contains(Duration.ofHours(1));
    assertThat(DurationKnowledge.exact().of(job.build(), TRUTH, 3)).contains(TRUTH);
  }

  @Test
  void nothingIsNothing() {
    assertThat(DurationKnowledge.nothing().of(TRUTH, 3)).isEmpty();
  }

  @Test
  void absurdFactorsAreRefused() {
    assertThatThrownBy(() -> DurationKnowledge.within(0.5, 1)).hasMessageContaining("was 0.5");
    assertThatThrownBy(() -> DurationKnowledge.within(Double.NaN, 1))
        .hasMessageContaining("was NaN");
  }
}
