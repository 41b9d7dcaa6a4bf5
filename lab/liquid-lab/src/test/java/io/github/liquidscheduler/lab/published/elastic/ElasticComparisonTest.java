package io.github.liquidscheduler.lab.published.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.lab.reference.elastic.ElasticPolicy;
import io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator;
import io.github.liquidscheduler.lab.reference.elastic.ElasticTiresias;
import io.github.liquidscheduler.lab.reference.elastic.FixedTiresias;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.lab.reference.elastic.ServiceQueues;
import io.github.liquidscheduler.lab.reference.elastic.price.ShadowPrice;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurves;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElasticComparisonTest {

  private static final ThroughputCurves CURVES =
      ThroughputCurves.of(
          Map.of(
              "good", ThroughputCurve.of(Map.of(1, 1.0, 2, 1.9, 4, 3.4, 8, 5.6)),
              "poor", ThroughputCurve.of(Map.of(1, 3.0, 2, 4.0, 4, 4.5))));

  private static final ElasticConditions STATED =
      new ElasticConditions("philly-24h", SizeMix.UNIFORM, ServiceQueues.TWO, ScalingCost.FREE);

  @Test
  void noPolicyIsBetterThanTheBounds() {
    ElasticWorkload.Scale scale = new ElasticWorkload.Scale(CURVES, 40, 16);
    ElasticComparison comparison =
        STATED.comparison(scale, 1.1, new ElasticComparison.Seeds(1000, 2));
    AtomicInteger steps = new AtomicInteger();
    List<ElasticPolicy> policies = comparison.allPolicies();
    List<ComparedAverage> rows = comparison.run(policies, steps::incrementAndGet);

    assertThat(steps).hasValue(comparison.steps(policies.size()));
    assertThat(rows.get(0).name()).isEqualTo("tiresias");
    assertThat(rows.get(0).saved()).isZero();
    ComparedAverage alone = rows.get(rows.size() - 1);
    ComparedAverage priced = rows.get(rows.size() - 2);
    assertThat(priced.saved()).isLessThanOrEqualTo(alone.saved());
    for (ComparedAverage row : rows.subList(0, rows.size() - 2)) {
      for (int seed = 0; seed < 2; seed++) {
        assertThat(row.seconds().get(seed)).isGreaterThan(priced.seconds().get(seed) - 1e-5);
      }
    }
  }

  /** The numbers of lab/liquid-lab/docs/research.md, with the measured curves. */
  @ParameterizedTest
  @CsvSource({"0.9, 0.307, 0.338, 0.344, 0.345", "1.1, 0.334, 0.368, 0.379, 0.381"})
  void elasticPoliciesSaveWhatTheRecordSays(
      double load, double elastic, double unknown, double known, double steady) {
    ElasticWorkload workload =
        new ElasticWorkload(ElasticTraces.curves(), DurationQuantiles.philly(24), 300, 64, load);
    double tiresias = average(workload, new FixedTiresias(ServiceQueues.TWO));
    ElasticPolicy published = ElasticTiresias.builder("elastic-tiresias").pendingLimit(0).build();

    assertThat(1 - average(workload, published) / tiresias).isGreaterThan(elastic);
    assertThat(1 - average(workload, ShadowPrice.unknownDurations()) / tiresias)
        .isGreaterThan(unknown);
    assertThat(1 - average(workload, ShadowPrice.knownDurations()) / tiresias).isGreaterThan(known);
    assertThat(1 - average(workload, ShadowPrice.steadyLoad()) / tiresias).isGreaterThan(steady);
  }

  private static double average(ElasticWorkload workload, ElasticPolicy policy) {
    ElasticSimulator simulator = ElasticSimulator.of(workload.gpus(), policy, ScalingCost.FREE);
    return IntStream.range(0, 20)
        .mapToDouble(seed -> simulator.run(workload.trace(seed)).averageCompletion())
        .average()
        .orElseThrow();
  }

  @Test
  void variationsDifferInOneThing() {
    List<ElasticConditions> all = STATED.withVariations();

    assertThat(all).doesNotHaveDuplicates().hasSize(11).startsWith(STATED);
    assertThat(all.subList(1, all.size()))
        .allSatisfy(each -> assertThat(differences(each)).isEqualTo(1));
  }

  @Test
  void savingsAreOfTheMean() {
    ComparedAverage row =
        new ComparedAverage("x", List.of(50.0, 30.0), List.of(100.0, 100.0), 1, 0);

    assertThat(row.saved()).isCloseTo(0.6, within(1e-12));
    assertThat(row.savedBySeed().mean()).isCloseTo(0.6, within(1e-12));
    assertThat(row.savedBySeed().deviation()).isCloseTo(Math.sqrt(0.02), within(1e-12));
    assertThatThrownBy(() -> new ComparedAverage("x", List.of(1.0), List.of(), 0, 0))
        .hasMessageStartingWith("there must be as many averages as of the baseline");
  }

  private static long differences(ElasticConditions other) {
    return Map.of(
            STATED.durations(), other.durations(),
            STATED.sizes(), other.sizes(),
            STATED.queues(), other.queues(),
            STATED.cost(), other.cost())
        .entrySet()
        .stream()
        .filter(entry -> !entry.getKey().equals(entry.getValue()))
        .count();
  }
}
