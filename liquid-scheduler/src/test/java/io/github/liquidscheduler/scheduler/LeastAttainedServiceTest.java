package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeastAttainedServiceTest {

  private static final List<Duration> THRESHOLDS =
      List.of(Duration.ofSeconds(400), Duration.ofSeconds(1000));

  private final Session session = Session.of(Policies.leastAttainedService(THRESHOLDS), 4);

  @Test
  void aJobIsDemotedWhenItsGpuTimeReachesAThreshold() {
    session.submit("old", 4);
    session.at(10).submit("new", 4);

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(100));
    assertThat(session.at(99).pass()).isEmpty();
    assertThat(session.at(100).pass()).containsExactly("preempt old", "start new");
    assertThat(session.record("old").policyState().level()).isEqualTo(1);
  }

  @Test
  void withinALevelNobodyIsStopped() {
    session.submit("old", 4);
    session.at(10).submit("new", 4);
    session.at(100).pass();

    // Both are in the second level now.
    assertThat(session.at(200).pass()).isEmpty();
    assertThat(session.running()).containsExactly("new");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(350));
    assertThat(session.at(350).pass()).containsExactly("preempt new", "start old");
  }

  @Test
  void anEarlierLevelStopsAJobOnceThatHasRunItsLeastTime() {
    Session patient =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.leastAttainedService(THRESHOLDS))
                .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(30)))
                .build());
    patient.submit("old", 4);
    patient.at(10).submit("second", 4);
    assertThat(patient.at(100).pass()).containsExactly("preempt old", "start second");
    assertThat(patient.at(350).pass()).containsExactly("preempt second", "start old");

    assertThat(patient.at(360).submit("new", 4)).isEmpty();
    assertThat(patient.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(380));
    assertThat(patient.at(380).pass()).containsExactly("preempt old", "start new");
  }

  @Test
  void whatADemotionReleasesIsOfferedToTheNextOfAKindToo() {
    session.submit("third", 1);
    session.at(900).submit("second", 2);
    session.at(1100).submit("big", 4);
    session.at(1201).pass();

    assertThat(session.at(1500).submit("new", 2))
        .containsExactly("preempt big", "start new", "start second");
  }

  @Test
  void withinALevelTheOrderIsThatOfSubmission() {
    session.submit("a", 4);
    session.submit("b", 4);
    session.submit("c", 4);

    assertThat(session.at(100).pass()).containsExactly("preempt a", "start b");
    assertThat(session.waiting()).containsExactly("c", "a");
  }

  @Test
  void aLateWakeUpCatchesUp() {
    session.submit("a", 4);

    assertThat(session.scheduler.nextWakeUp()).as("nobody waits").isEmpty();
    assertThat(session.at(900).submit("b", 4)).containsExactly("preempt a", "start b");
    assertThat(session.record("a").policyState().level()).isEqualTo(2);
  }

  @Test
  void thresholdsThatFallBetweenNanosecondsAreReachedOnTheNext() {
    session.submit("a", 3);
    session.submit("b", 3);

    Instant wakeUp = session.scheduler.nextWakeUp().orElseThrow();

    assertThat(wakeUp).isEqualTo(Instant.ofEpochSecond(133, 333_333_334));
    assertThat(session.on(new ClusterEvent.TimePassed(wakeUp)))
        .containsExactly("preempt a", "start b");
  }

  @Test
  void aStarvingJobIsPromotedAndItsServiceForgiven() {
    Session promoting = Session.of(Policies.leastAttainedServiceWithPromotion(THRESHOLDS, 2.0), 4);
    promoting.submit("a", 4);
    promoting.at(100).submit("b", 4);
    assertThat(promoting.record("a").policyState().level()).isEqualTo(1);

    // b is demoted at 200, but a starves from 100 for twice the 100 s that it has run.
    assertThat(promoting.at(200).pass()).isEmpty();
    assertThat(promoting.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(300));
    assertThat(promoting.at(300).pass()).containsExactly("preempt b", "start a");
    assertThat(promoting.record("a").policyState().level()).isZero();
    assertThat(promoting.record("a").policyState().forgiven()).isEqualTo(Duration.ofSeconds(400));

    // Its next demotion comes after another 400 s of GPU time; by then b has starved too.
    assertThat(promoting.at(400).pass()).isEmpty();
    assertThat(promoting.record("a").policyState().level()).isEqualTo(1);
  }

  @Test
  void theDefaultThresholdsAreThoseOfThePapersSimulator() {
    Session plain = Session.of(Policies.leastAttainedService(), 1);
    plain.submit("a", 1);
    plain.submit("b", 1);

    assertThat(plain.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(3250));
  }

  @Test
  void thresholdsMustAscend() {
    assertThatThrownBy(
            () -> Policies.leastAttainedService(List.of(Duration.ofDays(2), Duration.ofDays(1))))
        .hasMessage(
            "thresholds of attained service must ascend from more than zero, but were [PT48H,"
                + " PT24H]");
    assertThatThrownBy(() -> Policies.leastAttainedService(List.of(Duration.ZERO)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void thePromotionFactorMustBePositive() {
    assertThatThrownBy(() -> Policies.leastAttainedServiceWithPromotion(THRESHOLDS, Double.NaN))
        .hasMessage("a promotion factor must be more than zero and finite, but was NaN");
  }
}
