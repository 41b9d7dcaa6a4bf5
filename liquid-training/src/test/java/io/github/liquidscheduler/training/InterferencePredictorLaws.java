package io.github.liquidscheduler.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.interference.Learners;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.DoubleRange;

/** What a predictor of interference promises, whatever it predicts from. */
class InterferencePredictorLaws {

  /** What predictors predict from. */
  enum Source {
    UTILISATION,
    SHIPPED_NETWORK,
    TRAINED_NETWORK,
    TREES,
    NETWORK_AND_TREES,
    SIMILARITY,
    ALL_SHIPPED,
    ALL_SHIPPED_AND_MEASURED
  }

  private static final Map<Source, CompositePredictor> OLD = new EnumMap<>(Source.class);
  private static final Map<Source, PredictorState> STATES = new EnumMap<>(Source.class);

  @Property(tries = 1000)
  void speedsCanBeAndLieWithinTheirIntervals(
      @ForAll Source source, @ForAll("colocations") ColocationQuery asked) {
    float[] speeds = new float[1];
    float[] lows = new float[1];
    old(source).retainedSpeeds(List.of(asked), state(source), speeds, lows);
    Prediction answer = answer(source, asked);

    assertThat(answer.low()).isPositive().isLessThanOrEqualTo(answer.value());
    assertThat(answer.high()).isBetween(answer.value(), InterferencePredictor.MAX_RETAINED_SPEED);
    assertThat((double) speeds[0]).isPositive().isCloseTo(answer.value(), within(1e-6));
    assertThat((double) lows[0]).isPositive().isCloseTo(answer.low(), within(1e-6));
    assertThat((double) lows[0]).isLessThanOrEqualTo(answer.low());
  }

  @Property(tries = 1000)
  void moreLoadBesideItNeverMakesAJobFaster(
      @ForAll Source source,
      @ForAll("colocations") ColocationQuery asked,
      @ForAll @DoubleRange(max = 1) double part) {
    ColocationQuery less = withFirst(asked, lighter(asked.coRunners().getFirst(), part));

    assertThat(speed(source, asked)).isLessThanOrEqualTo(speed(source, less) + 1e-6);
  }

  @Property(tries = 500)
  void oneMoreJobBesideItNeverMakesAJobFaster(
      @ForAll Source source,
      @ForAll("colocations") ColocationQuery asked,
      @ForAll("profiles") ColocationProfile other) {
    List<ColocationProfile> more = new ArrayList<>(asked.coRunners());
    more.add(other);

    assertThat(speed(source, new ColocationQuery(asked.gpu(), asked.victim(), more)))
        .isLessThanOrEqualTo(speed(source, asked));
  }

  @Property(tries = 500)
  void theOrderOfThoseBesideItDoesNotMatter(
      @ForAll Source source, @ForAll("colocations") ColocationQuery asked) {
    ColocationQuery reversed =
        new ColocationQuery(asked.gpu(), asked.victim(), asked.coRunners().reversed());
    Prediction one = answer(source, asked);
    Prediction other = answer(source, reversed);

    assertThat(other.value()).isCloseTo(one.value(), within(1e-12));
    assertThat(other.low()).isCloseTo(one.low(), within(1e-12));
    assertThat(other.high()).isCloseTo(one.high(), within(1e-12));
    assertThat(other.provenance()).isEqualTo(one.provenance());
  }

  @Property(tries = 40)
  void whatWasAskedBeforeDoesNotMatter(
      @ForAll Source source, @ForAll("colocations") ColocationQuery asked) {
    try (CompositePredictor young = predictor(source)) {
      assertThat(young.retainedSpeed(asked, state(source, young))).isEqualTo(answer(source, asked));
    }
  }

  @Property(tries = 50)
  void whoIsAloneKeepsItsSpeed(
      @ForAll Source source, @ForAll("profiles") ColocationProfile victim) {
    assertThat(speed(source, new ColocationQuery(MadeUpPairs.GPU, victim, List.of()))).isEqualTo(1);
  }

  @Provide
  Arbitrary<ColocationQuery> colocations() {
    Arbitrary<GpuModel> gpus = Arbitraries.of("V100", "K80", "H100").map(GpuModel::of);
    return Combinators.combine(gpus, profiles(), profiles().list().ofMinSize(1).ofMaxSize(4))
        .as(ColocationQuery::new)
        .withoutEdgeCases();
  }

  @Provide
  Arbitrary<ColocationProfile> profiles() {
    Arbitrary<Workload> workloads =
        Combinators.combine(
                Arbitraries.of("ResNet-18", "LM", "family1", "family3", "nobody knows"),
                Arbitraries.of(8, 16, 64))
            .as((family, batch) -> Workload.builder(family).batchSize(batch).build());
    return Combinators.combine(
            workloads, known(0, 500), known(0, 1), known(0, 1), known(0, 1L << 34))
        .as(ColocationProfile::new)
        .withoutEdgeCases();
  }

  /** Returns numbers, some of them unknown, some at an end of the range. */
  private static Arbitrary<Double> known(double from, double to) {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.of(Double.NaN, from, to)),
        Tuple.of(1, Arbitraries.doubles().between(from, to)));
  }

  private static ColocationProfile lighter(ColocationProfile profile, double part) {
    return new ColocationProfile(
        profile.workload(),
        profile.isolatedRate(),
        part * profile.utilization(),
        part * profile.memoryBandwidthUtilization(),
        profile.memoryBytes());
  }

  private static ColocationQuery withFirst(ColocationQuery colocation, ColocationProfile first) {
    List<ColocationProfile> others = new ArrayList<>(colocation.coRunners());
    others.set(0, first);
    return new ColocationQuery(colocation.gpu(), colocation.victim(), others);
  }

  private static double speed(Source source, ColocationQuery asked) {
    return answer(source, asked).value();
  }

  private static Prediction answer(Source source, ColocationQuery asked) {
    return old(source).retainedSpeed(asked, state(source));
  }

  private static PredictorState state(Source source) {
    return STATES.computeIfAbsent(source, each -> state(each, old(each)));
  }

  /** Returns what the predictor has learned: all pairs of the made-up law, if it measures. */
  private static PredictorState state(Source source, CompositePredictor predictor) {
    PredictorState state = PredictorState.NONE;
    if (source == Source.ALL_SHIPPED_AND_MEASURED) {
      for (Measurement each : MadeUpPairs.MEASUREMENTS) {
        state = predictor.observe(state, each.colocation(), each.retainedSpeed());
      }
    }
    return state;
  }

  /** Returns a predictor that was asked much before. */
  private static CompositePredictor old(Source source) {
    return OLD.computeIfAbsent(source, InterferencePredictorLaws::predictor);
  }

  private static CompositePredictor predictor(Source source) {
    CompositePredictor.Builder builder = CompositePredictor.builder();
    return switch (source) {
      case UTILISATION -> builder.build();
      case SHIPPED_NETWORK -> builder.model(shippedNetwork()).build();
      case TRAINED_NETWORK -> builder.model(MadeUpPairs.model(Learners.NETWORK)).build();
      case TREES -> builder.model(MadeUpPairs.model(Learners.TREES)).build();
      case NETWORK_AND_TREES ->
          builder
              .model(MadeUpPairs.model(Learners.NETWORK))
              .model(MadeUpPairs.model(Learners.TREES))
              .build();
      case SIMILARITY -> builder.similarity(NeuralSimilarity.shipped()).build();
      case ALL_SHIPPED, ALL_SHIPPED_AND_MEASURED -> CompositePredictor.shipped();
    };
  }

  private static ModelFile shippedNetwork() {
    return ModelFile.shipped(CompositePredictor.class, "interference.onnx");
  }
}
