package io.github.liquidscheduler.estimator.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.InterferenceSchema;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class CompositePredictorTest {
  private static final GpuModel V100 = GpuModel.of("V100");

  @Test
  void whoIsAloneKeepsItsSpeed() {
    try (CompositePredictor prior = CompositePredictor.builder().build()) {
      Prediction answer =
          prior.retainedSpeed(new ColocationQuery(V100, profile("a", 0.9), List.of()));
      assertThat(answer.value()).isEqualTo(1);
      assertThat(answer.width()).isZero();
    }
  }

  @Test
  void withoutModelsUtilisationDecides() {
    try (CompositePredictor prior = CompositePredictor.builder().build()) {
      Prediction light = prior.retainedSpeed(pair(profile("a", 0.2), profile("b", 0.2)));
      Prediction heavy = prior.retainedSpeed(pair(profile("a", 1), profile("b", 1)));
      assertThat(light.value()).isGreaterThan(0.95);
      assertThat(heavy.value()).isCloseTo(0.65, within(1e-6));
      assertThat(heavy.provenance()).isEqualTo(Provenance.PRIOR);
    }
  }

  @Test
  void whenNothingIsKnownTheAnswerIsLowAndUnsure() {
    try (CompositePredictor prior = CompositePredictor.builder().build()) {
      Prediction answer =
          prior.retainedSpeed(pair(profile("a", Double.NaN), profile("b", Double.NaN)));
      assertThat(answer.value()).isLessThan(0.75);
      assertThat(answer.low()).isLessThan(0.4);
      assertThat(answer.provenance()).isEqualTo(Provenance.DEFAULT);
    }
  }

  @Test
  void aModelIsBlendedWithThePriorByInverseVariance() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      Prediction answer =
          predictor.retainedSpeed(pair(profile("known", 0.2), profile("other", 0.2)));
      double prior = UtilizationPrior.retainedSpeed(0.2, 0.2);
      double expected = (0.5 / 0.01 + prior / 0.04) / (1 / 0.01 + 1 / 0.04);
      assertThat(answer.value()).isCloseTo(expected, within(1e-6));
      assertThat(answer.provenance()).isEqualTo(Provenance.LEARNED);
    }
  }

  @Test
  void utilisationNeverNarrowsWhatWasMeasured() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      Prediction answer =
          predictor.retainedSpeed(pair(profile("stranger", 0.2), profile("other", 0.2)));
      assertThat(answer.value() - answer.low()).isCloseTo(0.3, within(1e-6));
    }
  }

  /** A model's error is a guess of .5 there, the prior's .2 was measured elsewhere. */
  @Test
  void onAGpuModelThatWasNeverMeasuredThePriorPromisesWhatItDoesElsewhere() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      ColocationQuery asked =
          new ColocationQuery(
              GpuModel.of("B200"), profile("known", 0.2), List.of(profile("other", 0.2)));
      Prediction answer = predictor.retainedSpeed(asked);
      assertThat(answer.value() - answer.low()).isCloseTo(UtilizationPrior.ERROR, within(1e-6));
    }
  }

  @Test
  void aPriorThatKnowsNoLoadSaysNothingBesideAModel() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      Prediction answer =
          predictor.retainedSpeed(pair(profile("known", Double.NaN), profile("other", 0.2)));
      assertThat(answer.value()).isCloseTo(0.5, within(1e-6));
      assertThat(answer.high() - answer.value()).isCloseTo(0.1, within(1e-6));
    }
  }

  @Test
  void nothingIsKnownOfAJobThatNamesAnUnknownFamilyOnly() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      Prediction answer =
          predictor.retainedSpeed(pair(profile("stranger", Double.NaN), profile("other", 0.2)));
      assertThat(answer.provenance()).isEqualTo(Provenance.DEFAULT);
    }
  }

  @Test
  void aWatchedPairTellsOfOtherPairsOfItsClasses() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      ColocationQuery asked = pair(profile("stranger", 0.2), profile("new", 0.2));
      Prediction before = predictor.retainedSpeed(asked);
      PredictorState state = PredictorState.NONE;
      for (String other : List.of("known", "other", "third")) {
        ColocationQuery seen = pair(profile("stranger", 0.2), profile(other, 0.2));
        state = predictor.observe(state, seen, 0.9);
      }
      Prediction after = predictor.retainedSpeed(asked, state);

      assertThat(after.value()).isBetween(before.value() + 0.05, 0.9);
      assertThat(after.width()).isLessThan(before.width());
      assertThat(predictor.retainedSpeed(pair(profile("x", 0.2), profile("y", 0.2)), state).value())
          .isCloseTo(before.value(), within(1e-9));
    }
  }

  @Test
  void aClassIsKnownWhenItWasWatchedOftenNotAtTheFirstLook() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      ColocationQuery asked = pair(profile("stranger", 0.2), profile("other", 0.2));
      PredictorState state = PredictorState.NONE;
      for (int i = 0; i < 8; i++) {
        assertThat(predictor.retainedSpeed(asked, state).provenance())
            .isEqualTo(Provenance.SIMILAR);
        ColocationQuery seen = pair(profile("stranger", 0.2), profile("other" + i, 0.2));
        state = predictor.observe(state, seen, 0.6);
      }
      assertThat(predictor.retainedSpeed(asked, state).provenance()).isEqualTo(Provenance.LEARNED);
    }
  }

  @Test
  void manyCoRunnersLeaveAVictimItsShare() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      List<ColocationProfile> three =
          List.of(profile("other", 0.9), profile("other", 0.9), profile("other", 0.9));
      ColocationQuery asked = new ColocationQuery(V100, profile("known", 0.9), three);
      assertThat(predictor.retainedSpeed(asked).value()).isCloseTo(1.0 / 4, within(1e-6));
    }
  }

  @Test
  void aStrangerIsAnsweredByTheOtherHeadWithAWiderInterval() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      Prediction known =
          predictor.retainedSpeed(pair(profile("known", 0.2), profile("other", 0.2)));
      Prediction strange =
          predictor.retainedSpeed(pair(profile("stranger", 0.2), profile("other", 0.2)));
      assertThat(strange.provenance()).isEqualTo(Provenance.SIMILAR);
      assertThat(strange.width()).isGreaterThan(known.width());
    }
  }

  @Test
  void observationsCorrectThePairAndMakeItSurer() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      ColocationQuery asked = pair(profile("known", 0.2), profile("other", 0.2));
      Prediction before = predictor.retainedSpeed(asked);
      PredictorState state = PredictorState.NONE;
      for (int i = 0; i < 20; i++) {
        state = predictor.observe(state, asked, 0.9);
      }
      Prediction after = predictor.retainedSpeed(asked, state);
      assertThat(after.value()).isCloseTo(0.9, within(0.02));
      assertThat(after.width()).isLessThan(before.width());
      assertThat(after.provenance()).isEqualTo(Provenance.MEASURED);
    }
  }

  @Test
  void intervalsWidenOnTheGpuModelWherePredictionsWereFarOff() {
    GpuModel elsewhere = GpuModel.of("K80");
    try (CompositePredictor predictor = predictor(0.5f)) {
      ColocationQuery untouched = pair(profile("known", 0.1), profile("other", 0.1));
      double before = predictor.retainedSpeed(untouched).width();
      PredictorState state = PredictorState.NONE;
      for (int i = 0; i < 30; i++) {
        ColocationQuery asked = pair(profile("new" + i, 0.9), profile("family" + i, 0.9));
        state = predictor.observe(state, asked, 0.02);
      }
      assertThat(predictor.isDrifting(state, V100)).isTrue();
      assertThat(predictor.isDrifting(state, elsewhere)).isFalse();
      assertThat(predictor.retainedSpeed(untouched, state).width()).isGreaterThan(before);
      ColocationQuery there =
          new ColocationQuery(elsewhere, untouched.victim(), untouched.coRunners());
      assertThat(predictor.retainedSpeed(there, state)).isEqualTo(predictor.retainedSpeed(there));
    }
  }

  @Property(tries = 100)
  void whoHasLearnedMoreLeavesOlderStatesAsTheyWere(
      @ForAll @Size(max = 30) List<@IntRange(max = 15) Integer> pairs,
      @ForAll @DoubleRange(min = 0.01, max = 1.05) double seen) {
    try (CompositePredictor predictor = predictor(0.5f);
        CompositePredictor alone = predictor(0.5f)) {
      PredictorState old = predictor.observe(PredictorState.NONE, oneOf(1), 0.4);
      PredictorState newer = old;
      for (int pair : pairs) {
        newer = predictor.observe(newer, oneOf(pair), seen);
        predictor.retainedSpeed(oneOf(pair), newer);
      }
      PredictorState same = alone.observe(PredictorState.NONE, oneOf(1), 0.4);

      assertThat(old.save()).isEqualTo(same.save());
      for (int pair = 0; pair < 16; pair++) {
        assertThat(predictor.retainedSpeed(oneOf(pair), old))
            .isEqualTo(alone.retainedSpeed(oneOf(pair), same));
        assertThat(predictor.retainedSpeed(oneOf(pair)))
            .isEqualTo(alone.retainedSpeed(oneOf(pair)));
      }
    }
  }

  @Test
  void closingTwiceIsHarmless() {
    CompositePredictor predictor = CompositePredictor.shipped();
    predictor.close();

    assertThatCode(predictor::close).doesNotThrowAnyException();
  }

  @Test
  void whatWasClosedIsAskedNoMore() {
    CompositePredictor predictor = CompositePredictor.shipped();
    predictor.retainedSpeed(pair(profile("a", 0.2), profile("b", 0.2)));
    predictor.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> predictor.retainedSpeed(pair(profile("a", 0.2), profile("b", 0.2))))
        .withMessage("the predictor is closed and can be asked no more");
  }

  @Property(tries = 100)
  void whatWasLearnedIsRecalledByAPredictorMadeAlike(
      @ForAll @Size(max = 70) List<@IntRange(max = 15) Integer> pairs,
      @ForAll @DoubleRange(min = 0.01, max = 1.05) double seen) {
    try (CompositePredictor predictor = predictor(0.5f);
        CompositePredictor restarted = predictor(0.5f)) {
      PredictorState state = PredictorState.NONE;
      for (int pair : pairs) {
        state = predictor.observe(state, oneOf(pair), seen / (1 + pair % 3));
      }
      PredictorState restored = restarted.restoreState(state.save());

      assertThat(restored.save()).isEqualTo(state.save());
      assertThat(restarted.isDrifting(restored, V100)).isEqualTo(predictor.isDrifting(state, V100));
      for (int pair = 0; pair < 16; pair++) {
        assertThat(restarted.retainedSpeed(oneOf(pair), restored))
            .isEqualTo(predictor.retainedSpeed(oneOf(pair), state));
        assertThat(restarted.retainedSpeed(oneOf(pair), state))
            .isEqualTo(predictor.retainedSpeed(oneOf(pair), state));
      }
    }
  }

  @Test
  void lessonsThatNobodyUnderstandsAreRefused() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> predictor.restoreState(List.of(new LearnedState("odd", List.of(), List.of()))))
          .withMessage(
              "a predictor's learned state must be of kind 'residual' or 'errors', but one was"
                  + " 'odd'");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  predictor.restoreState(
                      List.of(new LearnedState("residual", List.of("a;;"), List.of()))))
          .withMessageContaining("must have 3 names and 3 numbers");
    }
  }

  /** Returns one of sixteen pairs of four workloads, of which two are known. */
  private static ColocationQuery oneOf(int pair) {
    List<String> names = List.of("known", "other", "new", "strange");
    return pair(profile(names.get(pair / 4), 0.4), profile(names.get(pair % 4), 0.6));
  }

  @Test
  void aBatchAnswersWhatSingleQuestionsAnswer() {
    try (CompositePredictor batched = predictor(0.5f);
        CompositePredictor single = predictor(0.5f)) {
      List<ColocationQuery> questions = new ArrayList<>();
      for (int i = 0; i < 700; i++) {
        questions.add(
            new ColocationQuery(
                V100,
                profile("v" + i % 40, i % 10 / 10.0),
                List.of(profile("a" + i % 30, 0.3), profile("b", 0.5))));
      }
      float[] speeds = new float[questions.size()];
      float[] lows = new float[questions.size()];
      batched.retainedSpeeds(questions, PredictorState.NONE, speeds, lows);
      for (int i = 0; i < speeds.length; i++) {
        Prediction alone = single.retainedSpeed(questions.get(i));
        assertThat((double) speeds[i]).isCloseTo(alone.value(), within(1e-6));
        assertThat((double) lows[i]).isCloseTo(alone.low(), within(1e-6));
      }
    }
  }

  @Property(tries = 200)
  void moreLoadNeverRaisesTheSpeed(
      @ForAll @DoubleRange(max = 1) double victim,
      @ForAll @DoubleRange(max = 1) double other,
      @ForAll @DoubleRange(max = 1) double more,
      @ForAll @IntRange(max = 2) int observations) {
    try (CompositePredictor predictor = predictor(0.6f)) {
      double high = Math.max(other, more);
      double low = Math.min(other, more);
      ColocationQuery lighter = pair(profile("known", victim), profile("other", low));
      PredictorState state = PredictorState.NONE;
      for (int i = 0; i < observations; i++) {
        state = predictor.observe(state, lighter, 0.7);
      }
      double less = predictor.retainedSpeed(lighter, state).value();
      Prediction answer =
          predictor.retainedSpeed(pair(profile("known", victim), profile("other", high)), state);
      assertThat(answer.value()).isLessThanOrEqualTo(less + 1e-9).isPositive();
      assertThat(answer.high()).isLessThanOrEqualTo(1.05);
    }
  }

  @Property(tries = 100)
  void oneMoreCoRunnerNeverRaisesTheSpeed(@ForAll @IntRange(min = 1, max = 5) int coRunners) {
    try (CompositePredictor predictor = predictor(0.9f)) {
      List<ColocationProfile> others = new ArrayList<>();
      double before = 1;
      for (int i = 0; i < coRunners; i++) {
        others.add(profile("other" + i, 0.1 * i));
        double now =
            predictor
                .retainedSpeed(new ColocationQuery(V100, profile("known", 0.3), others))
                .value();
        assertThat(now).isLessThanOrEqualTo(before);
        before = now;
      }
    }
  }

  @Property(tries = 200)
  void whateverAModelSaysAnswersAreSpeedsThatCanBe(
      @ForAll @DoubleRange(min = -5, max = 5) double said,
      @ForAll @DoubleRange(max = 1) double load,
      @ForAll @IntRange(min = 1, max = 4) int coRunners,
      @ForAll @DoubleRange(min = 0.01, max = 1.05) double observed) {
    try (CompositePredictor predictor = predictor((float) said)) {
      List<ColocationProfile> others = new ArrayList<>();
      for (int i = 0; i < coRunners; i++) {
        others.add(profile("other", load));
      }
      ColocationQuery asked = new ColocationQuery(V100, profile("known", load), others);
      PredictorState state = predictor.observe(PredictorState.NONE, asked, observed);
      Prediction answer = predictor.retainedSpeed(asked, state);
      float[] batch = new float[1];
      predictor.retainedSpeeds(List.of(asked), state, batch, new float[1]);
      assertThat(answer.value()).isPositive().isLessThanOrEqualTo(1.05);
      assertThat(answer.low()).isPositive().isLessThanOrEqualTo(answer.value());
      assertThat(answer.high()).isBetween(answer.value(), 1.05);
      assertThat(batch[0]).isPositive().isLessThanOrEqualTo(1.05f);
    }
  }

  @Test
  void candidatesThatWereSeenBeforeLeaveNoGarbage() {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Assumptions.assumeTrue(
        thread.isThreadAllocatedMemorySupported(), "the JVM counts what a thread allocates");
    try (CompositePredictor predictor = predictor(0.5f)) {
      ColocationProfile victim = profile("known", 0.5);
      List<ColocationQuery> candidates = new ArrayList<>();
      for (int i = 0; i < 256; i++) {
        candidates.add(pair(victim, profile("other" + i, 0.4)));
      }
      float[] speeds = new float[candidates.size()];
      float[] lows = new float[candidates.size()];
      ColocationQuery seen = candidates.getFirst();
      PredictorState state = predictor.observe(PredictorState.NONE, seen, 0.7);
      for (int i = 0; i < 50; i++) {
        predictor.retainedSpeeds(candidates, state, speeds, lows);
      }
      long before = thread.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 100; i++) {
        predictor.retainedSpeeds(candidates, state, speeds, lows);
      }
      long perCandidate = (thread.getCurrentThreadAllocatedBytes() - before) / (100 * 256);
      assertThat(perCandidate).isZero();
    }
  }

  @Test
  void aSpeedThatCannotBeIsRefused() {
    try (CompositePredictor predictor = predictor(0.5f)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  predictor.observe(PredictorState.NONE, pair(profile("a", 0), profile("b", 0)), 0))
          .withMessageContaining("(0, 1.05], but was 0.0");
    }
  }

  @Test
  void theShippedModelsPredictWhatTheyWereTrainedOn() {
    ColocationProfile small = gavel("ResNet-18", 16);
    ColocationProfile large = gavel("ResNet-50", 64);
    try (CompositePredictor shipped = CompositePredictor.shipped()) {
      Prediction victim = shipped.retainedSpeed(pair(large, large));
      assertThat(victim.provenance()).isEqualTo(Provenance.LEARNED);
      assertThat(victim.value()).isBetween(0.3, 0.7);
      assertThat(shipped.retainedSpeed(pair(small, small)).value()).isGreaterThan(0.85);
    }
  }

  @Test
  void whatWasMeasuredByTimeSlicingIsNotSureUnderMps() {
    GpuModel mps = GpuModel.of("V100 MPS");
    ColocationProfile small = gavel("ResNet-18", 16);
    ColocationProfile large = gavel("LM", 20);
    try (CompositePredictor shipped = CompositePredictor.shipped()) {
      Prediction sliced = shipped.retainedSpeed(pair(small, large));
      Prediction unknown = shipped.retainedSpeed(new ColocationQuery(mps, small, List.of(large)));
      assertThat(unknown.width()).isGreaterThan(2 * sliced.width());
      assertThat(unknown.low()).isLessThan(0.5);
    }
  }

  private static ColocationProfile gavel(String family, int batch) {
    return ColocationProfile.of(Workload.builder(family).batchSize(batch).build());
  }

  private static ColocationProfile profile(String family, double utilization) {
    return new ColocationProfile(
        Workload.builder(family).build(), Double.NaN, utilization, Double.NaN, Double.NaN);
  }

  private static ColocationQuery pair(ColocationProfile victim, ColocationProfile other) {
    return new ColocationQuery(V100, victim, List.of(other));
  }

  /** A model that answers {@code speed} for known and other, and .1 less for anybody else. */
  private static CompositePredictor predictor(float speed) {
    ClassHistory history = new ClassHistory();
    history.setMean(V100, 0.6);
    WorkloadClass known = WorkloadClass.of(Workload.builder("known").build());
    WorkloadClass other = WorkloadClass.of(Workload.builder("other").build());
    history.colocated(known, other, V100, 0.6);
    history.colocated(other, known, V100, 0.6);
    ModelMetadata metadata =
        InterferenceSchema.metadata(
            PairFeatures.columns(), history, Map.of("V100", 0.1), Map.of("V100", 0.3));
    OnnxGraph graph = new OnnxGraph(PairFeatures.width());
    GraphValue answers =
        graph.dense(
            graph.input(), new float[2 * PairFeatures.width()], new float[] {speed, speed - 0.1f});
    return CompositePredictor.builder().model(graph.toBytes(answers, metadata), "a test").build();
  }
}
