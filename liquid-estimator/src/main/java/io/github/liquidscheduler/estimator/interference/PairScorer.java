package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.PairFeatures.GpuVector;
import io.github.liquidscheduler.estimator.workload.Residual;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks every source about pairs of victim and co-runner, blends the answers by inverse variance and
 * multiplies them up for victims with several co-runners. Answers are remembered in the vectors of
 * the state. Not thread-safe.
 */
final class PairScorer implements AutoCloseable {

  private static final double LEAST = CompositePredictor.LEAST;

  private final List<PairModel> models;
  private final ClassHistory shipped;
  private final Map<GpuModel, GpuVector> gpus = new LinkedHashMap<>();
  private final PairBatch batch = new PairBatch();
  private double[] products = new double[PairBatch.CAPACITY];
  private double[] relativeErrors = new double[PairBatch.CAPACITY];
  private boolean isClosed;

  PairScorer(List<PairModel> models, ClassHistory shipped) {
    this.models = models;
    this.shipped = shipped;
  }

  boolean hasModels() {
    return !models.isEmpty();
  }

  /** Returns the mean of the 90 % errors that the models promise for pairs of known classes. */
  double promisedError() {
    return models.stream()
        .flatMapToDouble(PairModel::familiarErrors)
        .average()
        .orElse(UtilizationPrior.ERROR);
  }

  /** Works out {@link #product} and {@link #relativeError} of every query. */
  void score(List<ColocationQuery> queries, CompositeState state) {
    requireOpen();
    if (products.length < queries.size()) {
      products = new double[queries.size()];
      relativeErrors = new double[queries.size()];
    }
    batch.clear();
    for (int i = 0; i < queries.size(); i++) {
      products[i] = 1;
      relativeErrors[i] = 0;
      collect(i, queries.get(i), state);
    }
    flush(state);
  }

  /** Returns the product of the speeds beside each co-runner of a query. */
  double product(int query) {
    return products[query];
  }

  /** Returns the sum of the relative errors of the speeds of a query. */
  double relativeError(int query) {
    return relativeErrors[query];
  }

  /** Returns what the models say of one pair, asking them if it is not remembered. */
  JobVector.Answer answerOf(
      JobVector victim, JobVector other, GpuModel gpu, @Nullable SimilarityModel similarity) {
    requireOpen();
    JobVector.Answer remembered = victim.answerBeside(other);
    if (remembered != null) {
      return remembered;
    }
    batch.clear();
    batch.put(0, victim, other, vector(gpu));
    ask(similarity);
    JobVector.Answer answer = answer(0);
    batch.clear();
    return answer;
  }

  /** Returns the factor that one co-runner contributes: the answer, corrected, and at most 1. */
  static double speed(@Nullable Residual residual, JobVector.Answer answer) {
    double correction = residual == null ? 0 : residual.correction(answer.error());
    return Math.clamp(answer.speed() + correction, LEAST, 1);
  }

  static double error(@Nullable Residual residual, JobVector.Answer answer) {
    return residual == null ? answer.error() : residual.errorLeft(answer.error());
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the predictor is closed and can be asked no more");
    }
  }

  private void collect(int index, ColocationQuery query, CompositeState state) {
    GpuModel gpu = query.gpu();
    JobVector victim = state.vectors().get(query.victim(), gpu);
    List<ColocationProfile> others = query.coRunners();
    for (int i = 0; i < others.size(); i++) {
      JobVector other = state.vectors().get(others.get(i), gpu);
      JobVector.Answer answer = victim.answerBeside(other);
      if (answer != null) {
        multiply(index, victim, answer);
        continue;
      }
      if (batch.isFull()) {
        flush(state);
      }
      batch.put(index, victim, other, vector(gpu));
    }
  }

  private void flush(CompositeState state) {
    if (batch.size() == 0) {
      return;
    }
    ask(state.similarity());
    for (int pair = 0; pair < batch.size(); pair++) {
      JobVector victim = batch.victim(pair);
      JobVector.Answer answer = answer(pair);
      victim.remember(answer);
      multiply(batch.owner(pair), victim, answer);
    }
    batch.clear();
  }

  private void multiply(int index, JobVector victim, JobVector.Answer answer) {
    Residual residual = victim.residual(answer.other());
    double speed = speed(residual, answer);
    products[index] *= speed;
    relativeErrors[index] += error(residual, answer) / speed;
  }

  private void ask(@Nullable SimilarityModel similarity) {
    for (int i = 0; i < models.size(); i++) {
      models.get(i).score(batch);
    }
    for (int pair = 0; pair < batch.size(); pair++) {
      addPlainSources(pair, similarity);
    }
  }

  private JobVector.Answer answer(int pair) {
    return new JobVector.Answer(batch.other(pair), batch.value(pair), batch.error(pair));
  }

  private void addPlainSources(int pair, @Nullable SimilarityModel similarity) {
    JobVector victim = batch.victim(pair);
    JobVector other = batch.other(pair);
    if (similarity != null) {
      Prediction said =
          similarity.retainedSpeed(
              victim.profile().workload(), other.profile().workload(), batch.gpu(pair));
      batch.add(
          pair, said.value(), Math.max(said.high() - said.value(), said.value() - said.low()));
    }
    double victimLoad = victim.profile().utilization();
    double otherLoad = other.profile().utilization();
    batch.add(
        pair,
        UtilizationPrior.retainedSpeed(victimLoad, otherLoad),
        UtilizationPrior.error(victimLoad, otherLoad));
  }

  private GpuVector vector(GpuModel gpu) {
    GpuVector vector = gpus.get(gpu);
    if (vector == null) {
      vector = new GpuVector(gpu, shipped);
      gpus.put(gpu, vector);
    }
    return vector;
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      models.forEach(PairModel::close);
    }
  }
}
