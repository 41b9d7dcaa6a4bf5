package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.DoubleRange;

/** The contract of every {@link InterferencePredictor}, whatever it predicts from. */
public abstract class InterferencePredictorContract {

  private static final double ROUNDING = 1e-6;

  /** Makes a contract. */
  protected InterferencePredictorContract() {}

  /** Returns the predictor to judge. It may be the same one each time. */
  protected abstract InterferencePredictor predictor();

  /** Returns its learned state; nothing by default. */
  protected PredictorState learned() {
    return PredictorState.NONE;
  }

  /** Returns questions about jobs with one to four co-runners. */
  @Provide
  protected Arbitrary<ColocationQuery> queries() {
    Arbitrary<GpuModel> gpus = Arbitraries.of("V100", "K80", "H100").map(GpuModel::of);
    return Combinators.combine(gpus, profiles(), profiles().list().ofMinSize(1).ofMaxSize(4))
        .as(ColocationQuery::new)
        .withoutEdgeCases();
  }

  /** Returns profiles of jobs: some numbers are unknown, some are at an end of their range. */
  @Provide
  protected Arbitrary<ColocationProfile> profiles() {
    Arbitrary<Workload> workloads =
        Combinators.combine(
                Arbitraries.of("ResNet-18", "LM", "family1", "family3", "nobody knows"),
                Arbitraries.of(8, 16, 64))
            .as((family, batch) -> Workload.builder(family).batchSize(batch).build());
    return Combinators.combine(workloads, known(500), known(1), known(1), known(1L << 34))
        .as(ColocationProfile::new)
        .withoutEdgeCases();
  }

  private static Arbitrary<Double> known(double most) {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.of(Double.NaN, 0.0, most)),
        Tuple.of(1, Arbitraries.doubles().between(0, most)));
  }

  /** A retained speed is possible and in its interval, and a batch of questions has its answers. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  public void speedsCanBeAndLieWithinTheirIntervals(@ForAll("queries") ColocationQuery asked) {
    float[] speeds = new float[1];
    float[] lows = new float[1];
    predictor().retainedSpeeds(List.of(asked), learned(), speeds, lows);
    Prediction answer = answer(asked);

    assertThat(answer.low()).isPositive().isLessThanOrEqualTo(answer.value());
    assertThat(answer.high()).isBetween(answer.value(), InterferencePredictor.MAX_RETAINED_SPEED);
    assertThat((double) speeds[0]).isPositive().isCloseTo(answer.value(), within(ROUNDING));
    assertThat((double) lows[0]).isPositive().isCloseTo(answer.low(), within(ROUNDING));
    assertThat((double) lows[0]).isLessThanOrEqualTo(answer.low());
  }

  /** A co-runner that works the GPU less never slows a job down more. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  public void moreLoadBesideItNeverMakesAJobFaster(
      @ForAll("queries") ColocationQuery asked, @ForAll @DoubleRange(max = 1) double part) {
    List<ColocationProfile> others = new ArrayList<>(asked.coRunners());
    others.set(0, lighter(others.get(0), part));

    assertThat(speed(asked)).isLessThanOrEqualTo(speed(beside(asked, others)) + ROUNDING);
  }

  /** One co-runner more never makes a job faster. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  public void oneMoreJobBesideItNeverMakesAJobFaster(
      @ForAll("queries") ColocationQuery asked, @ForAll("profiles") ColocationProfile other) {
    List<ColocationProfile> more = new ArrayList<>(asked.coRunners());
    more.add(other);

    assertThat(speed(beside(asked, more))).isLessThanOrEqualTo(speed(asked) + ROUNDING);
  }

  /** Co-runners are a set. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  public void theOrderOfThoseBesideItDoesNotMatter(@ForAll("queries") ColocationQuery asked) {
    Prediction one = answer(asked);
    Prediction other = answer(beside(asked, asked.coRunners().reversed()));

    assertThat(other.value()).isCloseTo(one.value(), within(1e-12));
    assertThat(other.low()).isCloseTo(one.low(), within(1e-12));
    assertThat(other.high()).isCloseTo(one.high(), within(1e-12));
    assertThat(other.provenance()).isEqualTo(one.provenance());
  }

  /** The same question has the same answer, whatever was asked in between. */
  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void whatWasAskedBeforeDoesNotMatter(
      @ForAll("queries") ColocationQuery asked, @ForAll("queries") ColocationQuery other) {
    Prediction first = answer(asked);
    answer(other);

    assertThat(answer(asked)).isEqualTo(first);
  }

  /** What was learned is the same after it was saved and restored. */
  @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
  public void whatWasSavedIsRestored(@ForAll("queries") ColocationQuery asked) {
    PredictorState restored = predictor().restoreState(learned().save());

    assertThat(predictor().retainedSpeed(asked, restored)).isEqualTo(answer(asked));
  }

  /** Nobody is slowed down by nobody. */
  @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
  public void whoIsAloneKeepsItsSpeed(@ForAll("queries") ColocationQuery asked) {
    assertThat(speed(beside(asked, List.of()))).isEqualTo(1);
  }

  private static ColocationProfile lighter(ColocationProfile profile, double part) {
    return new ColocationProfile(
        profile.workload(),
        profile.isolatedRate(),
        part * profile.utilization(),
        part * profile.memoryBandwidthUtilization(),
        profile.memoryBytes());
  }

  private static ColocationQuery beside(ColocationQuery asked, List<ColocationProfile> others) {
    return new ColocationQuery(asked.gpu(), asked.victim(), others);
  }

  private double speed(ColocationQuery asked) {
    return answer(asked).value();
  }

  private Prediction answer(ColocationQuery asked) {
    return predictor().retainedSpeed(asked, learned());
  }
}
