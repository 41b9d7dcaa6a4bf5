package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.similarity.NeuralSimilarity;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the retained speed of a job beside others (IAPP).
 *
 * <p>Each pair of victim and co-runner is asked of every source there is: a network, a tree
 * ensemble, the similarity model, and a prior from utilisation. Their answers are blended by the
 * inverse of their variances, which come from cross-validation and do not depend on load. What
 * observed pairs were off by is added, the more the more was observed. Several co-runners multiply:
 * nobody speeds anybody up, so every further one can only slow the victim. Hence the prediction
 * never rises with a co-runner's load, because no source does and the correction is constant in it.
 *
 * <p>Answers for a pair of profiles are remembered by the profiles' identity, so an embedder that
 * keeps its profiles pays the models once. All new pairs of one call are scored together.
 *
 * <p>Not thread-safe. Closing it closes its models.
 */
public final class CompositePredictor implements InterferencePredictor, AutoCloseable {
  private static final double LEAST = 0.02;

  private final List<ModelFile> files;
  private final List<PairModel> models;
  private final @Nullable SimilarityModel similarity;
  private final Map<GpuModel, PairFeatures.GpuVector> gpus = new LinkedHashMap<>();
  private final PairBatch batch = new PairBatch();
  private final DriftDetector drift;
  private ClassHistory history;
  private VectorCache vectors;
  private double[] products = new double[PairBatch.CAPACITY];
  private double[] relativeErrors = new double[PairBatch.CAPACITY];

  private CompositePredictor(Builder builder) {
    files = List.copyOf(builder.files);
    models = files.stream().map(PairModel::new).toList();
    history = shippedHistory();
    similarity = builder.similarity;
    vectors = new VectorCache(history);
    drift = new DriftDetector(promisedError(files));
  }

  /** Returns a builder of a predictor that knows utilisation only. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the predictor of the shipped models: see {@code docs/interference-models.md}. */
  public static CompositePredictor shipped() {
    return builder()
        .model(ModelFile.shipped(CompositePredictor.class, "interference.onnx"))
        .similarity(NeuralSimilarity.shipped())
        .build();
  }

  @Override
  public Prediction retainedSpeed(ColocationQuery colocation) {
    if (colocation.coRunners().isEmpty()) {
      return Prediction.certain(1, Provenance.MEASURED);
    }
    score(List.of(colocation));
    double value = 1;
    double relativeError = 0;
    Provenance provenance = Provenance.MEASURED;
    for (ColocationProfile other : colocation.coRunners()) {
      Pair pair = pair(colocation, other);
      value *= pair.speed;
      relativeError += pair.error / pair.speed;
      provenance = worse(provenance, pair.provenance);
    }
    double error = value * relativeError * drift.widening();
    double speed = Math.max(LEAST, value);
    return new Prediction(
        speed, low(value, relativeError), Math.min(MAX_RETAINED_SPEED, speed + error), provenance);
  }

  @Override
  public void retainedSpeeds(List<ColocationQuery> colocations, float[] speeds) {
    if (speeds.length < colocations.size()) {
      throw new IllegalArgumentException(
          "there must be room for %d speeds, but there was for %d"
              .formatted(colocations.size(), speeds.length));
    }
    score(colocations);
    for (int i = 0; i < colocations.size(); i++) {
      speeds[i] = (float) Math.max(LEAST, products[i]);
    }
  }

  @Override
  public void retainedSpeeds(List<ColocationQuery> colocations, float[] speeds, float[] lows) {
    retainedSpeeds(colocations, speeds);
    for (int i = 0; i < colocations.size(); i++) {
      double low = low(products[i], relativeErrors[i]);
      lows[i] = (float) low > low ? Math.nextDown((float) low) : (float) low;
    }
  }

  private double low(double value, double relativeError) {
    return Math.max(LEAST / 2, Math.max(LEAST, value) - value * relativeError * drift.widening());
  }

  private static double error(@Nullable Residual residual, JobVector.Answer answer) {
    return residual == null ? answer.error() : residual.errorLeft(answer.error());
  }

  @Override
  public void observe(ColocationQuery colocation, double retainedSpeed) {
    if (!(retainedSpeed > 0 && retainedSpeed <= MAX_RETAINED_SPEED)) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was %s, for %s on %s"
              .formatted(retainedSpeed, colocation.victim().workload(), colocation.gpu()));
    }
    if (colocation.coRunners().isEmpty()) {
      return;
    }
    double predicted = retainedSpeed(colocation).value();
    drift.add(predicted - retainedSpeed);
    double share = Math.pow(retainedSpeed / predicted, 1.0 / colocation.coRunners().size());
    for (ColocationProfile other : colocation.coRunners()) {
      learn(colocation, other, share);
    }
  }

  @Override
  public List<LearnedState> saveState() {
    List<LearnedState> learnedStates = new ArrayList<>(history.saveState());
    learnedStates.addAll(drift.saveState());
    if (similarity != null) {
      learnedStates.addAll(similarity.saveState());
    }
    return learnedStates;
  }

  @Override
  public void restoreState(List<LearnedState> learnedStates) {
    ClassHistory recalled = shippedHistory();
    List<LearnedState> others = new ArrayList<>();
    drift.forget();
    for (LearnedState learnedState : learnedStates) {
      switch (learnedState.kind()) {
        case ClassHistory.CLASS, ClassHistory.RESIDUAL -> recalled.restoreState(learnedState);
        case DriftDetector.LEARNED_STATE -> drift.restoreState(learnedState);
        default -> others.add(learnedState);
      }
    }
    if (similarity != null) {
      similarity.restoreState(others);
    } else if (!others.isEmpty()) {
      throw new IllegalArgumentException(
          "only a predictor with a similarity model knows learned state of kind '%s', but this has none"
              .formatted(others.getFirst().kind()));
    }
    history = recalled;
    vectors = new VectorCache(history);
    gpus.clear();
  }

  private ClassHistory shippedHistory() {
    return files.isEmpty() ? new ClassHistory() : InterferenceSchema.history(files.getFirst());
  }

  /** Returns whether recent predictions were clearly worse than the model promised. */
  public boolean isDrifting() {
    return drift.isDrifting();
  }

  @Override
  public void close() {
    models.forEach(PairModel::close);
  }

  private void learn(ColocationQuery colocation, ColocationProfile other, double share) {
    GpuModel gpu = colocation.gpu();
    JobVector victim = vectors.get(colocation.victim(), gpu);
    JobVector aggressor = vectors.get(other, gpu);
    double measured =
        Math.min(
            MAX_RETAINED_SPEED,
            Math.max(LEAST, share * speed(victim, answerOf(victim, aggressor, gpu))));
    history.colocated(victim.workload, aggressor.workload, gpu, measured);
    if (similarity != null) {
      similarity.observe(colocation.victim().workload(), other.workload(), gpu, measured);
    }
    vectors.forget(victim.workload);
    vectors.forget(aggressor.workload);
    double base =
        answerOf(vectors.get(colocation.victim(), gpu), vectors.get(other, gpu), gpu).speed();
    victim.history.residualOrNew(aggressor.history).add(measured - base);
  }

  /** Returns what the models say of one pair, asking them if it is not remembered. */
  private JobVector.Answer answerOf(JobVector victim, JobVector other, GpuModel gpu) {
    JobVector.Answer remembered = victim.answerBeside(other);
    if (remembered != null) {
      return remembered;
    }
    batch.clear();
    batch.put(0, victim, other, gpu, vector(gpu));
    ask();
    JobVector.Answer answer = answer(0);
    batch.clear();
    return answer;
  }

  /** Makes sure that every pair has an answer, and multiplies them up. */
  private void score(List<ColocationQuery> colocations) {
    if (products.length < colocations.size()) {
      products = new double[colocations.size()];
      relativeErrors = new double[colocations.size()];
    }
    batch.clear();
    for (int i = 0; i < colocations.size(); i++) {
      products[i] = 1;
      relativeErrors[i] = 0;
      collect(i, colocations.get(i));
    }
    flush();
  }

  private void collect(int index, ColocationQuery colocation) {
    GpuModel gpu = colocation.gpu();
    JobVector victim = vectors.get(colocation.victim(), gpu);
    List<ColocationProfile> others = colocation.coRunners();
    for (int i = 0; i < others.size(); i++) {
      JobVector other = vectors.get(others.get(i), gpu);
      JobVector.Answer answer = victim.answerBeside(other);
      if (answer != null) {
        multiply(index, victim, answer);
        continue;
      }
      if (batch.isFull()) {
        flush();
      }
      batch.put(index, victim, other, gpu, vector(gpu));
    }
  }

  private void flush() {
    if (batch.size() == 0) {
      return;
    }
    ask();
    for (int pair = 0; pair < batch.size(); pair++) {
      JobVector victim = batch.victim(pair);
      JobVector.Answer answer = answer(pair);
      victim.remember(answer);
      multiply(batch.owner(pair), victim, answer);
    }
    batch.clear();
  }

  private void multiply(int index, JobVector victim, JobVector.Answer answer) {
    Residual residual = victim.history.residual(answer.other().history);
    double speed = speed(residual, answer);
    products[index] *= speed;
    relativeErrors[index] += error(residual, answer) / speed;
  }

  private void ask() {
    for (int i = 0; i < models.size(); i++) {
      models.get(i).score(batch);
    }
    for (int pair = 0; pair < batch.size(); pair++) {
      addPlainSources(pair);
    }
  }

  private JobVector.Answer answer(int pair) {
    return new JobVector.Answer(batch.other(pair), batch.value(pair), batch.error(pair));
  }

  private void addPlainSources(int pair) {
    JobVector victim = batch.victim(pair);
    JobVector other = batch.other(pair);
    if (similarity != null) {
      Prediction said =
          similarity.retainedSpeed(
              victim.profile.workload(), other.profile.workload(), batch.gpu(pair));
      batch.add(
          pair, said.value(), Math.max(said.high() - said.value(), said.value() - said.low()));
    }
    batch.add(
        pair,
        UtilizationPrior.retainedSpeed(victim.utilization, other.utilization),
        UtilizationPrior.error(victim.utilization, other.utilization));
  }

  private PairFeatures.GpuVector vector(GpuModel gpu) {
    PairFeatures.GpuVector vector = gpus.get(gpu);
    if (vector == null) {
      vector = new PairFeatures.GpuVector(gpu, history);
      gpus.put(gpu, vector);
    }
    return vector;
  }

  /** The factor that one co-runner contributes: the answer, corrected, and never above 1. */
  private static double speed(JobVector victim, JobVector.Answer answer) {
    return speed(victim.history.residual(answer.other().history), answer);
  }

  private static double speed(@Nullable Residual residual, JobVector.Answer answer) {
    double correction = residual == null ? 0 : residual.correction(answer.error());
    return Math.clamp(answer.speed() + correction, LEAST, 1);
  }

  /** What is said of one pair. */
  private record Pair(double speed, double error, Provenance provenance) {}

  private Pair pair(ColocationQuery colocation, ColocationProfile coRunner) {
    JobVector victim = vectors.get(colocation.victim(), colocation.gpu());
    JobVector other = vectors.get(coRunner, colocation.gpu());
    JobVector.Answer answer = answerOf(victim, other, colocation.gpu());
    Residual residual = victim.history.residual(other.history);
    return new Pair(
        speed(residual, answer),
        error(residual, answer),
        residual == null ? learned(victim, other) : Provenance.MEASURED);
  }

  private Provenance learned(JobVector victim, JobVector other) {
    if (!models.isEmpty()) {
      return victim.isFamiliar() && other.isFamiliar() ? Provenance.LEARNED : Provenance.SIMILAR;
    }
    boolean blind = Double.isNaN(victim.utilization) || Double.isNaN(other.utilization);
    return blind ? Provenance.DEFAULT : Provenance.PRIOR;
  }

  private static Provenance worse(Provenance one, Provenance other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static double promisedError(List<ModelFile> files) {
    return files.stream()
        .flatMap(file -> InterferenceSchema.familiarError(file).values().stream())
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(UtilizationPrior.ERROR);
  }

  /** Builds a {@link CompositePredictor}. Not thread-safe. */
  public static final class Builder {
    private final List<ModelFile> files = new ArrayList<>();
    private @Nullable SimilarityModel similarity;

    private Builder() {}

    /**
     * Adds a network or tree ensemble. The class history of the first one is used.
     *
     * @throws IllegalArgumentException if the file is no interference model
     */
    public Builder model(ModelFile file) {
      files.add(file.requires(InterferenceSchema.contract()));
      return this;
    }

    /** Sets the similarity model. */
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
