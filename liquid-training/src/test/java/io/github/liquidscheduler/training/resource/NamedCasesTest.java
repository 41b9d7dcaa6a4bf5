package io.github.liquidscheduler.training.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.estimator.task.prior.MemoryParts;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.training.table.CsvRow;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cases of docs/predictions.md. What state, activations and cache should be was computed apart from
 * this code, from the published configurations.
 */
class NamedCasesTest {
  private static final double GIBIBYTE = 1L << 30;

  /** A task and what its memory should consist of. */
  private record Case(TaskProfile task, CsvRow expected) {
    @Override
    public String toString() {
      return expected.text("case");
    }

    double gib(String column) {
      return expected.number(column).orElseThrow();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void thePartsAreThoseOfThePublishedConfiguration(Case named) {
    MemoryParts parts = new TaskFacts(named.task()).memoryParts();

    double state = parts.weights() + parts.gradients() + parts.optimizerState();
    assertThat(state / GIBIBYTE).isCloseTo(named.gib("state_gib"), within(0.02));
    assertThat(parts.activations() / GIBIBYTE)
        .isCloseTo(named.gib("activations_gib"), within(0.02));
    assertThat(parts.cache() / GIBIBYTE).isCloseTo(named.gib("cache_gib"), within(0.02));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatCannotFitIsCalledImpossibleAndNothingElseIs(Case named) {
    TaskFacts facts = new TaskFacts(named.task());
    double device = facts.gpu().map(GpuSpecification::memoryBytes).orElseThrow();
    try (LearnedResourceEstimator estimator = LearnedResourceEstimator.shipped()) {
      TaskEstimate estimate = estimator.estimate(named.task());
      Prediction memory = estimate.of(ResourceTarget.GPU_MEMORY);

      boolean mayFit = memory.low() <= device;
      assertThat(mayFit).isEqualTo(Boolean.parseBoolean(named.expected().text("fits")));
      assertThat(memory.low()).isLessThan(facts.memoryParts().total());
      assertThat(memory.high()).isGreaterThan(facts.memoryParts().total());
    }
  }

  static Stream<Case> cases() throws Exception {
    Path file =
        Path.of(
            Objects.requireNonNull(NamedCasesTest.class.getResource("named-cases.csv")).toURI());
    ResourceCsv csv = ResourceCsv.read(file);
    List<CsvRow> rows = csv.table().rows();
    return IntStream.range(0, rows.size())
        .mapToObj(row -> new Case(csv.samples().get(row).task(), rows.get(row)));
  }
}
