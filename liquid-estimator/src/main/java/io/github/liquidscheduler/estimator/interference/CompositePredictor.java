package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.InterferenceSchema;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.LocalPair;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.ModelLimits;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the retained speed of a job beside others (IAPP).
 *
 * <p>Each pair of victim and co-runner is asked of every source there is: a network, a tree
 * ensemble, the similarity model, and a prior from utilisation. Their answers are blended by the
 * inverse of their variances, which come from cross-validation and do not depend on load. What this
 * cluster watched corrects them: of the pair itself, and of all pairs of its classes and families.
 * Several co-runners multiply: nobody speeds anybody up, so every further one can only slow the
 * victim. Hence the prediction never rises with a co-runner's load, because no source does and the
 * correction is constant in it.
 *
 * <p>Answers for a pair of profiles are remembered, so that equal profiles pay the models once. All
 * new pairs of one call are scored together.
 *
 * <p>Thread-safe; calls take turns. Closing it closes its models; closing it again does nothing.
 */
public final class CompositePredictor implements InterferencePredictor, AutoCloseable {

  static final double LEAST = 0.02;

  private final PairScorer scorer;
  private final CompositeState initial = CompositeState.nothing(this);
  private @Nullable CompositeState foreign;
  private @Nullable CompositeState converted;

  private CompositePredictor(Builder builder) {
    List<ModelFile> files = List.copyOf(builder.files);
    ClassHistory shipped =
        files.isEmpty() ? new ClassHistory() : InterferenceSchema.history(files.getFirst());
    scorer =
        new PairScorer(files.stream().map(PairModel::new).toList(), shipped, builder.similarity);
  }

  /** Returns a builder of a predictor that knows utilisation only. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the predictor of the shipped models: see {@code docs/predictions.md}. */
  public static CompositePredictor shipped() {
    return builder()
        .add(ModelFile.shipped(CompositePredictor.class, "interference.onnx"))
        .similarity(NeuralSimilarity.shipped())
        .build();
  }

  @Override
  public Prediction retainedSpeed(ColocationQuery query) {
    return retainedSpeed(query, initial);
  }

  @Override
  public synchronized Prediction retainedSpeed(ColocationQuery query, PredictorState state) {
    if (query.coRunners().isEmpty()) {
      return Prediction.certain(1, Provenance.MEASURED);
    }
    CompositeState learned = own(state);
    scorer.score(List.of(query), learned);
    double value = scorer.product(0, query.coRunners().size());
    double error = value * scorer.relativeError(0) * learned.on(query.gpu()).drift().widening();
    double speed = Math.max(LEAST, value);
    return new Prediction(
        speed,
        low(value, error),
        Math.min(MAX_RETAINED_SPEED, speed + error),
        provenance(query, learned));
  }

  @Override
  public synchronized void retainedSpeeds(
      List<ColocationQuery> queries, PredictorState state, float[] speeds, float[] lows) {
    if (Math.min(speeds.length, lows.length) < queries.size()) {
      throw new IllegalArgumentException(
          "there must be space for %s, but there was for %d"
              .formatted(Count.of(queries.size(), "speed"), Math.min(speeds.length, lows.length)));
    }
    CompositeState learned = own(state);
    scorer.score(queries, learned);
    @Nullable GpuModel gpu = null;
    double widening = 1;
    for (int i = 0; i < queries.size(); i++) {
      ColocationQuery query = queries.get(i);
      if (!query.gpu().equals(gpu)) {
        gpu = query.gpu();
        widening = learned.on(gpu).drift().widening();
      }
      double value = scorer.product(i, query.coRunners().size());
      double low = low(value, value * scorer.relativeError(i) * widening);
      speeds[i] = (float) Math.max(LEAST, value);
      lows[i] = roundedDown(low);
    }
  }

  /** Returns the largest float that is not above a positive number. */
  private static float roundedDown(double positive) {
    float rounded = (float) positive;
    return rounded > positive
        ? Float.intBitsToFloat(Float.floatToRawIntBits(rounded) - 1)
        : rounded;
  }

  private static double low(double value, double error) {
    return Math.max(LEAST / 2, Math.max(LEAST, value) - error);
  }

  @Override
  public synchronized PredictorState observe(
      PredictorState state, ColocationQuery query, double retainedSpeed) {
    if (!(retainedSpeed > 0 && retainedSpeed <= MAX_RETAINED_SPEED)) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was %s, for %s on %s"
              .formatted(retainedSpeed, query.victim().workload(), query.gpu()));
    }
    CompositeState before = own(state);
    if (query.coRunners().isEmpty()) {
      return before;
    }
    scorer.score(List.of(query), before);
    double predicted = Math.max(LEAST, scorer.product(0, query.coRunners().size()));
    double promised = predicted * scorer.relativeError(0);
    GpuState known = before.on(query.gpu());
    double share = Math.pow(retainedSpeed / predicted, 1.0 / query.coRunners().size());
    WatchedPairs pairs = learned(query, share, known.pairs());
    DriftDetector drift = known.drift().plus(retainedSpeed - predicted, promised);
    return before.with(query.gpu(), new GpuState(pairs, drift));
  }

  /**
   * Takes one observation in, pair by pair.
   *
   * @param share by how much the victim retained more, beside each of them, than had been predicted
   */
  private WatchedPairs learned(ColocationQuery query, double share, WatchedPairs before) {
    WatchedPairs pairs = before;
    JobVector victim = scorer.vector(query.victim(), query.gpu());
    for (ColocationProfile each : query.coRunners()) {
      JobVector other = scorer.vector(each, query.gpu());
      JobVector.Answer said = scorer.answer(victim, other, query.gpu(), pairs);
      double measured = Math.clamp(share * said.speed(), LEAST, MAX_RETAINED_SPEED);
      pairs = pairs.plus(said.classes(), measured - said.base(), said.promised());
    }
    return pairs;
  }

  @Override
  public synchronized PredictorState restoreState(List<LearnedState> saved) {
    return CompositeState.restored(this, saved);
  }

  /**
   * Returns from what a prediction comes: a line for each co-runner, with what the models answer
   * and promise, and what was watched since.
   */
  public synchronized List<String> explain(ColocationQuery query, PredictorState state) {
    GpuState known = own(state).on(query.gpu());
    JobVector victim = scorer.vector(query.victim(), query.gpu());
    List<String> lines = new ArrayList<>();
    for (ColocationProfile each : query.coRunners()) {
      JobVector other = scorer.vector(each, query.gpu());
      JobVector.Answer answer = scorer.answer(victim, other, query.gpu(), known.pairs());
      lines.add(PairExplanation.of(answer, known));
    }
    return lines;
  }

  /** Returns true if recent predictions on one GPU model were clearly worse than promised. */
  public synchronized boolean isDrifting(PredictorState state, GpuModel gpu) {
    return own(state).on(gpu).drift().isDrifting();
  }

  @Override
  public synchronized void close() {
    scorer.close();
  }

  /** Returns a state of this predictor; one of another that is made alike is converted once. */
  @SuppressWarnings("ReferenceEquality") // Whose state it is, and whether it is the same one.
  private CompositeState own(PredictorState state) {
    if (!(state instanceof CompositeState known)) {
      return initial;
    }
    if (known.owner() == this) {
      return known;
    }
    if (converted == null || known != foreign) {
      converted = CompositeState.restored(this, known.save());
      foreign = known;
    }
    return converted;
  }

  private Provenance provenance(ColocationQuery query, CompositeState state) {
    WatchedPairs watched = state.on(query.gpu()).pairs();
    Provenance worst = Provenance.MEASURED;
    JobVector victim = scorer.vector(query.victim(), query.gpu());
    for (ColocationProfile coRunner : query.coRunners()) {
      JobVector other = scorer.vector(coRunner, query.gpu());
      if (!watched.has(new LocalPair(victim.workload(), other.workload()))) {
        Provenance each = unwatched(victim, other, watched);
        worst = worst.compareTo(each) >= 0 ? worst : each;
      }
    }
    return worst;
  }

  private Provenance unwatched(JobVector victim, JobVector other, WatchedPairs watched) {
    if (isKnown(victim, watched) && isKnown(other, watched)) {
      return Provenance.LEARNED;
    }
    if (scorer.hasModels()) {
      return victim.isUnknown() || other.isUnknown() ? Provenance.DEFAULT : Provenance.SIMILAR;
    }
    boolean blind =
        UtilizationPrior.isBlind(victim.profile().utilization(), other.profile().utilization());
    return blind ? Provenance.DEFAULT : Provenance.PRIOR;
  }

  private static boolean isKnown(JobVector job, WatchedPairs watched) {
    return job.isFamiliar() || watched.knows(job.workload());
  }

  /** Builds a {@link CompositePredictor}. Not thread-safe. */
  public static final class Builder {
    private final List<ModelFile> files = new ArrayList<>();
    private final Set<String> operators = new LinkedHashSet<>();
    private ModelLimits limits = ModelLimits.DEFAULT;
    private @Nullable SimilarityModel similarity;

    private Builder() {}

    /** Sets how large the models may be that are added from now on, and how much they may do. */
    public Builder limits(ModelLimits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /**
     * Lets the models that are added from now on have these ONNX operators besides those of
     * networks and trees. What they need of memory and time is not bounded, so trust the files.
     *
     * @param names such as {@code ai.onnx.ml.SVMRegressor}, with the domain unless it is the
     *     standard one
     */
    public Builder allowOperators(String... names) {
      operators.addAll(List.of(names));
      return this;
    }

    /**
     * Adds the network or tree ensemble in {@code file}. The class history of the first one is
     * used.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it is no interference model
     */
    public Builder model(Path file) throws IOException {
      return add(ModelFile.read(file, operators, limits));
    }

    /**
     * Adds the network or tree ensemble in {@code onnx}. The class history of the first one is
     * used.
     *
     * @param owner what the bytes are, for messages
     * @throws IllegalArgumentException if they are no interference model
     */
    public Builder model(byte[] onnx, String owner) {
      return add(ModelFile.of(onnx, owner, operators, limits));
    }

    private Builder add(ModelFile file) {
      files.add(InterferenceSchema.require(file));
      return this;
    }

    /** Sets the similarity model; what is watched corrects the blend with it. */
    public Builder similarity(SimilarityModel similarity) {
      this.similarity = Objects.requireNonNull(similarity, "similarity");
      return this;
    }

    /** Returns the predictor. */
    public CompositePredictor build() {
      return new CompositePredictor(this);
    }
  }
}
