package io.github.liquidscheduler.training.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.job.Workload;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GuessedFactorTest {

  @Test
  void whereNothingIsCountedItIsTheError() {
    assertThat(GuessedFactor.of(facts("graphsage", 4096, ""), 0.5)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void whatIsCountedMakesTheGuessesWorse() {
    assertThat(GuessedFactor.of(facts("overfeat", 25, "peak"), 0.3)).isGreaterThan(0.4);
  }

  @Test
  void whatTheTaskDoesNotSayExcusesAnError() {
    assertThat(GuessedFactor.of(facts("bertlarge", 32, ""), -0.3)).isZero();
  }

  @Test
  void aPoolOfTwiceTheSizeMayHaveNeededLittleMore() {
    assertThat(GuessedFactor.of(facts("mobilenet", 64, "growth"), 0.55)).isBetween(0.0, 0.2);
  }

  @Test
  void anErrorThatNoFactorExplainsCountsAsItIs() {
    assertThat(GuessedFactor.of(facts("vgg16", 1, "peak"), -5)).isEqualTo(-5);
  }

  /** The interval that a factor makes holds the truth that the factor was made from. */
  @Property(tries = 300)
  void theFactorIsEnoughAndNotMuchMore(
      @ForAll @DoubleRange(min = -0.8, max = 0.8) double error,
      @ForAll @IntRange(min = 1, max = 512) int batch) {
    TaskFacts facts = facts("resnet50", batch, "");
    double truth = facts.priorMemory() * Math.exp(error);

    double factor = GuessedFactor.of(facts, error);

    double reached =
        error > 0 ? facts.mostMemory(Math.exp(factor)) : facts.leastMemory(Math.exp(factor));
    assertThat(reached / truth).isCloseTo(1, within(1e-4));
  }

  private static TaskFacts facts(String family, int batch, String allocator) {
    Workload.Builder workload =
        Workload.builder(family).framework("pytorch").precision("fp32").batchSize(batch);
    if (!allocator.isEmpty()) {
      workload.hyperparameter("allocator", allocator).hyperparameter("optimizer", "sgd");
    }
    return new TaskFacts(TaskProfile.builder(workload.build()).build());
  }
}
