package io.github.liquidscheduler.estimator.duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import java.time.Duration;
import java.util.OptionalDouble;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DurationEstimatorTest {
  private static final OptionalDouble UNKNOWN = OptionalDouble.empty();
  private final DurationEstimator estimator = new DurationEstimator();

  @Test
  void aJobAboutWhichNothingIsKnownMayTakeForever() {
    assertThat(estimator.total(job("bert", 1).build(), UNKNOWN).value()).isInfinite();
  }

  @Test
  void workDividedBySpeedGoesFirst() {
    JobSpec job = job("bert", 1).expectedWork(ExpectedWork.ofIterations(500)).build();
    learn(job, 1, 2, 3, 4, 5);

    Prediction total = estimator.total(job, OptionalDouble.of(5));

    assertThat(total.value()).isEqualTo(100);
    assertThat(total.provenance()).isEqualTo(Provenance.LEARNED);
  }

  @Test
  void thePastOfTheSameKindIsAMedianAndItsSpread() {
    learn(job("bert", 1).build(), 10, 20, 30, 40, 50);

    Prediction total = estimator.total(job("bert", 1).build(), UNKNOWN);

    assertThat(total.value()).isEqualTo(30);
    assertThat(total.low()).isCloseTo(12, within(1e-9));
    assertThat(total.high()).isCloseTo(48, within(1e-9));
  }

  @Test
  void anotherSizeOfTheFamilyCountsWhenThereIsNothingCloser() {
    learn(job("bert", 1).build(), 10, 20, 30, 40, 50);

    assertThat(estimator.total(job("bert", 8).build(), UNKNOWN).provenance())
        .isEqualTo(Provenance.SIMILAR);
  }

  @Test
  void theUserIsAskedBeforeGivingUp() {
    JobSpec job = job("bert", 1).expectedWork(ExpectedWork.ofDuration(Duration.ofHours(1))).build();

    assertThat(estimator.total(job, UNKNOWN).value()).isEqualTo(3600);
    assertThat(estimator.total(job, UNKNOWN).provenance()).isEqualTo(Provenance.PRIOR);
  }

  @Test
  void aJobThatOutlivesHalfItsKindIsJudgedByTheOthers() {
    learn(job("bert", 1).build(), 1, 2, 3, 100, 110, 120, 130, 140);

    assertThat(estimator.remaining(job("bert", 1).build(), Duration.ofSeconds(10), UNKNOWN).value())
        .isEqualTo(110);
  }

  @Test
  void progressSaysMoreTheFurtherItIs() {
    learn(job("bert", 1).build(), 1000, 1000, 1000, 1000, 1000);

    double early = remaining(100, 0.1);
    double late = remaining(100, 0.9);

    assertThat(early).isCloseTo(900, within(1.0));
    assertThat(late).isCloseTo(0.9 * 100 / 9 + 0.1 * 900, within(1.0));
  }

  @Test
  void progressBeyondTheEndIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> remaining(100, 1.5))
        .withMessageContaining("1.5");
  }

  @Property
  void intervalsHoldTheirPredictions(
      @ForAll @IntRange(min = 0, max = 10_000) int elapsed,
      @ForAll @DoubleRange(min = 0, max = 1) double progress) {
    learn(job("bert", 1).build(), 10, 20, 300, 4000, 5000, 60, 700);

    Prediction remaining =
        estimator.remaining(
            job("bert", 1).build(), Duration.ofSeconds(elapsed), OptionalDouble.of(progress));

    assertThat(remaining.low()).isBetween(0.0, remaining.value());
    assertThat(remaining.high()).isGreaterThanOrEqualTo(remaining.value());
  }

  private double remaining(int elapsed, double progress) {
    return estimator
        .remaining(job("bert", 1).build(), Duration.ofSeconds(elapsed), OptionalDouble.of(progress))
        .value();
  }

  private void learn(JobSpec job, int... seconds) {
    for (int time : seconds) {
      estimator.observe(job, Duration.ofSeconds(time));
    }
  }

  private static JobSpec.Builder job(String family, int gpus) {
    return JobSpec.builder("job").workload(Workload.builder(family).build()).gpus(gpus);
  }
}
