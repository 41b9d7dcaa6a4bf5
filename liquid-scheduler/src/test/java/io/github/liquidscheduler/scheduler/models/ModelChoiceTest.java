package io.github.liquidscheduler.scheduler.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ModelChoiceTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel K80 = GpuModel.of("K80");

  @Test
  void aJobAloneTakesTheFastestModelThatHasEnoughGpus() {
    assertThat(ModelChoice.ofFirst(free(1, 4), List.of(claim(1, 0.9)))).contains(V100);
    assertThat(ModelChoice.ofFirst(free(1, 4), List.of(claim(2, 0.1)))).contains(K80);
    assertThat(ModelChoice.ofFirst(free(1, 1), List.of(claim(2, 0.1)))).isEmpty();
  }

  @Test
  void aJobLeavesFasterGpusToOneThatGainsMoreByThem() {
    assertThat(ModelChoice.ofFirst(free(1, 1), List.of(claim(1, 0.9), claim(1, 0.1))))
        .contains(K80);
    assertThat(ModelChoice.ofFirst(free(1, 1), List.of(claim(1, 0.1), claim(1, 0.9))))
        .contains(V100);
  }

  @Test
  void whereThereIsEnoughForBothEachTakesTheFastest() {
    assertThat(ModelChoice.ofFirst(free(2, 1), List.of(claim(1, 0.9), claim(1, 0.1))))
        .contains(V100);
  }

  @Test
  void whoHasNoOtherModelChoosesFirst() {
    ModelChoice.Claim onlyFast = new ModelChoice.Claim(1, Map.of(V100, 1.0));

    assertThat(ModelChoice.ofFirst(free(1, 1), List.of(claim(1, 0.01), onlyFast))).contains(K80);
  }

  @Test
  void ofEqualJobsTheFirstInTurnChoosesFirst() {
    assertThat(ModelChoice.ofFirst(free(1, 1), List.of(claim(1, 0.5), claim(1, 0.5))))
        .contains(V100);
  }

  @Provide
  Arbitrary<List<ModelChoice.Claim>> claims() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 3), Arbitraries.doubles().between(0.01, 1))
        .as(ModelChoiceTest::claim)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  @SuppressWarnings("ReferenceEquality") // Claims of two jobs may be equal.
  @Property(tries = 300)
  void aJobTakesTheFasterModelUnlessOthersWhoRegretMoreLeaveTooLittleOfIt(
      @ForAll("claims") List<ModelChoice.Claim> claims, @ForAll @IntRange(max = 18) int fast) {
    int slow = 18; // enough for all
    ModelChoice.Claim first = claims.getFirst();
    int wanted =
        claims.stream()
            .filter(claim -> claim == first || regret(claim) > regret(first))
            .mapToInt(ModelChoice.Claim::gpus)
            .sum();

    var model = ModelChoice.ofFirst(free(fast, slow), claims);

    assertThat(model).isPresent();
    if (wanted <= fast) {
      assertThat(model).contains(V100);
    }
    if (fast < first.gpus()) {
      assertThat(model).contains(K80);
    }
  }

  private static double regret(ModelChoice.Claim claim) {
    return 1 / claim.speeds().getOrDefault(K80, 1.0);
  }

  private static ModelChoice.Claim claim(int gpus, double onK80) {
    Map<GpuModel, Double> speeds = new LinkedHashMap<>();
    speeds.put(V100, 1.0);
    speeds.put(K80, onK80);
    return new ModelChoice.Claim(gpus, speeds);
  }

  private static Map<GpuModel, Integer> free(int v100, int k80) {
    return Map.of(V100, v100, K80, k80);
  }
}
