package io.github.liquidscheduler.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SizingPolicyTest {

  private static final Offset<Double> EXACT = within(1e-12);

  /** A running job that may have 2 to 8 tasks of one GPU, and prefers 4. */
  private record Sized(
      int tasks, IntToDoubleFunction speeds, Optional<Duration> remaining, PolicyState policyState)
      implements SizingPolicy.Candidate {

    @Override
    public double speed(int size) {
      return speeds.applyAsDouble(size);
    }

    @Override
    public JobSpec job() {
      return JobSpec.builder("job").gpus(4).parallelism(Parallelism.between(2, 4, 8)).build();
    }

    @Override
    public Instant now() {
      return submittedAt().plusSeconds(100);
    }

    @Override
    public Instant submittedAt() {
      return Instant.EPOCH;
    }

    @Override
    public Instant since() {
      return submittedAt();
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public int gpus() {
      return tasks;
    }

    @Override
    public Duration executed() {
      return Duration.ofSeconds(100);
    }

    @Override
    public Duration attained() {
      return executed().multipliedBy(tasks);
    }

    @Override
    public int preemptions() {
      return 0;
    }
  }

  private static Sized sized(int tasks, double exponent) {
    return new Sized(
        tasks, size -> 7 * Math.pow(size, exponent), Optional.empty(), PolicyState.INITIAL);
  }

  private static Sized sized(int tasks, double exponent, long secondsLeft) {
    Sized job = sized(tasks, exponent);
    return new Sized(
        tasks, job.speeds(), Optional.of(Duration.ofSeconds(secondsLeft)), job.policyState());
  }

  private static SizingPolicy.Growth growth(Sized job, int to) {
    return new SizingPolicy.Growth(job, job.tasks(), to);
  }

  @Test
  void namesAreThoseOfTheCommandLine() {
    assertThat(SizingPolicy.elasticTiresias().name()).isEqualTo("elastic-tiresias");
    assertThat(SizingPolicy.marginalGain().name()).isEqualTo("marginal");
    assertThat(SizingPolicy.optimus().name()).isEqualTo("optimus");
    assertThat(SizingPolicy.afs().name()).isEqualTo("afs");
    assertThat(SizingPolicy.goodput().name()).isEqualTo("goodput");
  }

  @Test
  void elasticTiresiasGainsSpeedUpForEachTaskBeyondWhatIsTooLittle() {
    SizingPolicy policy = SizingPolicy.elasticTiresias(0.5, 0.1);

    assertThat(policy.gain(sized(4, 1), 4, 8)).isEqualTo(1 - 0.1, EXACT);
    assertThat(policy.gain(sized(4, 0.5), 4, 9)).isEqualTo((3 - 2) / 5.0 - 0.1, EXACT);
    assertThat(policy.parameters()).containsOnlyKeys("keptFraction", "leastGain");
  }

  @Test
  void elasticTiresiasTakesFromThoseWhoHaveLeftTheFirstQueueOnly() {
    SizingPolicy policy = SizingPolicy.elasticTiresias(0.6, 0);
    Sized young = sized(4, 1);
    Sized old = new Sized(4, young.speeds(), Optional.empty(), new PolicyState(1, Duration.ZERO));

    assertThat(policy.floor(young, true)).isEqualTo(4);
    assertThat(policy.floor(old, true)).isEqualTo(3);
    assertThat(policy.floor(old, false)).isEqualTo(4);
  }

  @Test
  void elasticTiresiasRefusesLimitsOutOfRange() {
    assertThatThrownBy(() -> SizingPolicy.elasticTiresias(1.1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.1");
    assertThatThrownBy(() -> SizingPolicy.elasticTiresias(1, -0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-0.1");
  }

  @Test
  void marginalGainIsRelativeToTheSpeedThatTheJobHas() {
    assertThat(SizingPolicy.marginalGain().gain(sized(4, 0.5), 4, 9))
        .isEqualTo((1.5 - 1) / 5, EXACT);
  }

  @Test
  void optimusGainsTheTimeThatIsSaved() {
    // 200 s at 4 tasks are 400 s at 2, and 100 s at 8.
    Sized job = sized(2, 1, 200);

    assertThat(SizingPolicy.optimus().gain(job, 2, 8)).isEqualTo(401 * 0.75 / 6, EXACT);
  }

  @Test
  void optimusPrefersWhoseTimeIsKnown() {
    double unknown = SizingPolicy.optimus().gain(sized(2, 1), 2, 4);

    assertThat(unknown).isPositive();
    assertThat(SizingPolicy.optimus().gain(sized(2, 1, 1), 2, 4)).isGreaterThan(unknown);
  }

  @Test
  void goodputGainsTheInverseOfTheSpeedUp() {
    assertThat(SizingPolicy.goodput().gain(sized(4, 0.5), 4, 9))
        .isEqualTo((1 / 2.0 - 1 / 3.0) / 5, EXACT);
  }

  @Test
  void afsPrefersTheShorterOfTwoThatGainAlike() {
    SizingPolicy afs = SizingPolicy.afs();
    SizingPolicy.Growth shorter = growth(sized(4, 0.5, 100), 5);
    SizingPolicy.Growth longer = growth(sized(4, 0.5, 200), 5);

    assertThat(afs.isByGain()).isFalse();
    assertThat(afs.prefersLater(longer, shorter)).isTrue();
    assertThat(afs.prefersLater(shorter, longer)).isFalse();
  }

  @Test
  void afsPrefersTheLongerIfItGainsMore() {
    SizingPolicy afs = SizingPolicy.afs();
    SizingPolicy.Growth shorter = growth(sized(4, 0.1, 100), 5);
    SizingPolicy.Growth longer = growth(sized(4, 0.9, 200), 5);

    assertThat(afs.prefersLater(shorter, longer)).isTrue();
    assertThat(afs.prefersLater(longer, shorter)).isFalse();
  }

  @Test
  void afsPrefersWhoCameEarlierOfTwoEqualJobs() {
    SizingPolicy.Growth job = growth(sized(4, 0.5, 100), 5);

    assertThat(SizingPolicy.afs().prefersLater(job, job)).isFalse();
  }

  @Test
  void afsTakesJobsOfUnknownTimeToRunAsLongAgain() {
    SizingPolicy.Growth unknown = growth(sized(4, 0.5), 5);

    assertThat(SizingPolicy.afs().prefersLater(unknown, growth(sized(4, 0.5, 99), 5))).isTrue();
    assertThat(SizingPolicy.afs().prefersLater(unknown, growth(sized(4, 0.5, 101), 5))).isFalse();
  }

  @Test
  void otherRulesLeaveJobsTheirSmallestSizesWhileManyWait() {
    for (SizingPolicy policy :
        new SizingPolicy[] {
          SizingPolicy.marginalGain(),
          SizingPolicy.optimus(),
          SizingPolicy.afs(),
          SizingPolicy.goodput()
        }) {
      assertThat(policy.floor(sized(8, 1), true)).as(policy.name()).isEqualTo(2);
      assertThat(policy.floor(sized(8, 1), false)).as(policy.name()).isEqualTo(4);
    }
  }
}
