package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options are what their parameters say. */
class RecordedOptionsTest {

  private static Elasticity.Builder unusual(SizingPolicy sizing) {
    return Elasticity.by(sizing)
        .pendingLimit(3)
        .coolDown(Duration.ofSeconds(7))
        .worthwhile(2.5)
        .cost(new ResizeCost(Duration.ofSeconds(1), Duration.ofMillis(2), Duration.ofNanos(3)));
  }

  @Test
  void backfillIsReadBack() {
    Backfill rules =
        Backfill.reserving(3)
            .assuming(Duration.ofHours(2))
            .forJobsOf(4)
            .holdingAfter(Duration.ofMinutes(5), 2);

    assertThat(RecordedOptions.backfill(rules.parameters())).isEqualTo(rules);
    assertThat(RecordedOptions.backfill(Backfill.easy().parameters())).isEqualTo(Backfill.easy());
  }

  @Test
  void aBatchWindowIsReadBack() {
    BatchWindow plain = BatchWindow.of(Duration.ofSeconds(30));
    BatchWindow window =
        plain
            .planTimeout(Duration.ofSeconds(9))
            .maxJobs(40)
            .queuedGpuFraction(.5)
            .maxPlanSize(100)
            .bypassLimit(2);

    assertThat(RecordedOptions.batch(window.parameters())).isEqualTo(window);
    assertThat(RecordedOptions.batch(Map.of("time", "PT30S"))).isEqualTo(plain);
  }

  @Test
  void rulesOfPreemptionAreReadBack() {
    PreemptionRules rules =
        PreemptionRules.NONE
            .minRunTime(Duration.ofMinutes(1))
            .mostPreemptions(3)
            .gracePeriod(Duration.ofSeconds(20))
            .moving(3)
            .movesPerHour(20)
            .movePause(Duration.ofSeconds(45))
            .restAfterMove(Duration.ofMinutes(30));

    assertThat(RecordedOptions.preemption(rules.parameters())).isEqualTo(rules);
    assertThat(RecordedOptions.preemption(PreemptionRules.NONE.parameters()))
        .isEqualTo(PreemptionRules.NONE);
  }

  @Test
  void aBackOffIsReadBack() {
    RetryBackoff strict = RetryBackoff.DEFAULT.givingUpAfter(3);

    assertThat(RecordedOptions.backoff(strict.parameters())).isEqualTo(strict);
  }

  @ParameterizedTest
  @ValueSource(strings = {"elastic-tiresias", "marginal", "optimus", "afs", "goodput"})
  void elasticityIsReadBack(String name) {
    Elasticity plain = unusual(SizingPolicy.named(name)).build();
    Elasticity special =
        unusual(SizingPolicy.named(name))
            .startSmall()
            .preemptToGrow()
            .profileJobs()
            .profileAgain(.25, Duration.ofMinutes(3))
            .deadlines(LateJobs.WAIT)
            .build();

    assertThat(RecordedOptions.elasticity(plain.parameters()).parameters())
        .isEqualTo(plain.parameters())
        .containsEntry("sizing", name);
    assertThat(RecordedOptions.elasticity(special.parameters()).parameters())
        .isEqualTo(special.parameters());
  }

  @Test
  void theLimitsOfElasticTiresiasAreReadBack() {
    Elasticity elasticity = unusual(SizingPolicy.elasticTiresias(.25, .125)).build();

    assertThat(RecordedOptions.elasticity(elasticity.parameters()).parameters())
        .isEqualTo(elasticity.parameters())
        .containsEntry("sizing.keptFraction", "0.25");
  }

  @Test
  void aPredictorOfSpeedsCannotBeReadBack() {
    Map<String, String> parameters =
        new TreeMap<>(unusual(SizingPolicy.afs()).build().parameters());
    parameters.put("predictor", "some.Predictor");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordedOptions.elasticity(parameters))
        .withMessageContaining("some.Predictor");
  }

  @Test
  void prefetchingIsReadBack() {
    Prefetching plain = Prefetching.over(Bandwidth.ofGigabitsPerSecond(10)).build();
    Prefetching rules =
        Prefetching.liquid(Bandwidth.ofGigabitsPerSecond(10), .5)
            .launch(Duration.ofSeconds(5))
            .slack(Duration.ofSeconds(20))
            .atMostEvery(Duration.ofSeconds(2))
            .mostAtOnce(3)
            .leastGain(2.5)
            .mostWasted(.2)
            .localityGpus(1)
            .build();

    assertThat(RecordedOptions.prefetching(plain.parameters()).parameters())
        .isEqualTo(plain.parameters());
    assertThat(RecordedOptions.prefetching(rules.parameters()).parameters())
        .isEqualTo(rules.parameters());
  }

  @Test
  void whatIsMissingOrNotReadableIsRefused() {
    Map<String, String> parameters = unusual(SizingPolicy.afs()).build().parameters();
    for (String name : parameters.keySet()) {
      if (!name.equals("profiles")) {
        Map<String, String> fewer = new TreeMap<>(parameters);
        fewer.remove(name);
        assertThatIllegalArgumentException()
            .as(name)
            .isThrownBy(() -> RecordedOptions.elasticity(fewer));
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordedOptions.backoff(Map.of("first", "soon")))
        .withMessage(
            "the parameters of a back-off must have a readable 'first', but had {first=soon}");
  }
}
