package io.github.liquidscheduler.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticityParametersTest {

  private static Elasticity unusual(SizingPolicy sizing) {
    return Elasticity.by(sizing)
        .pendingLimit(3)
        .coolDown(Duration.ofSeconds(7))
        .worthwhile(2.5)
        .cost(new ResizeCost(Duration.ofSeconds(1), Duration.ofMillis(2), Duration.ofNanos(3)))
        .profileJobs()
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"marginal", "optimus", "afs", "goodput"})
  void whatDecidesIsKnownFromItsParameters(String name) {
    Map<String, String> parameters = unusual(SizingPolicy.named(name, Map.of())).parameters();

    assertThat(Elasticity.from(parameters).parameters())
        .isEqualTo(parameters)
        .containsEntry("sizing", name);
  }

  @Test
  void theLimitsOfElasticTiresiasAreAmongThem() {
    Map<String, String> parameters =
        unusual(SizingPolicy.elasticTiresias(0.25, 0.125)).parameters();

    assertThat(Elasticity.from(parameters).parameters()).isEqualTo(parameters);
    assertThat(parameters).containsEntry("sizing.keptFraction", "0.25");
  }

  @Test
  void whatIsMissingOrUnknownIsRefused() {
    Map<String, String> parameters = unusual(SizingPolicy.afs()).parameters();
    for (String name : parameters.keySet()) {
      if (!name.equals("profiles")) {
        Map<String, String> fewer = new TreeMap<>(parameters);
        fewer.remove(name);
        assertThatThrownBy(() -> Elasticity.from(fewer))
            .as(name)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
    assertThatThrownBy(() -> SizingPolicy.named("largest", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'largest'");
    assertThatThrownBy(() -> SizingPolicy.named("elastic-tiresias", Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keptFraction");
  }

  @Test
  void aPredictorOfSpeedsIsNotAmongThem() {
    Map<String, String> parameters = new TreeMap<>(unusual(SizingPolicy.afs()).parameters());
    parameters.put("predictor", "some.Predictor");

    assertThatThrownBy(() -> Elasticity.from(parameters))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("some.Predictor");
  }
}
