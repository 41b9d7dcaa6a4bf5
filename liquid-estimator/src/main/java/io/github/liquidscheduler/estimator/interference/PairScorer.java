package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.LocalPair;
import io.github.liquidscheduler.estimator.workload.PairFeatures.GpuVector;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.prediction.SimilarityModel;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks every source about pairs of victim and co-runner, blends the answers by inverse variance,
 * corrects them by what was watched and multiplies them up for victims with several co-runners.
 * Answers are remembered in job vectors. Not thread-safe.
 */
final class PairScorer implements AutoCloseable {

  private static final double LEAST = CompositePredictor.LEAST;

  private final List<PairModel> models;
  private final ClassHistory shipped;
  private final VectorCache vectors;
  private final @Nullable SimilarityModel similarity;
  private final Map<GpuModel, GpuVector> gpus = new LinkedHashMap<>();
  private final PairBatch batch = new PairBatch();
  private double[] products = new double[PairBatch.CAPACITY];
  private double[] relativeErrors = new double[PairBatch.CAPACITY];
  private double[] slowest = new double[PairBatch.CAPACITY];
  private boolean isClosed;

  PairScorer(List<PairModel> models, ClassHistory shipped, @Nullable SimilarityModel similarity) {
    this.models = models;
    this.shipped = shipped;
    this.similarity = similarity;
    vectors = new VectorCache(shipped);
  }

  boolean hasModels() {
    return !models.isEmpty();
  }

  JobVector vector(ColocationProfile profile, GpuModel gpu) {
    return vectors.get(profile, gpu);
  }

  /** Works out {@link #product} and {@link #relativeError} of every query. */
  @SuppressWarnings("ReferenceEquality") // Profiles are known by their identity.
  void score(List<ColocationQuery> queries, CompositeState state) {
    requireOpen();
    if (products.length < queries.size()) {
      products = new double[queries.size()];
      relativeErrors = new double[queries.size()];
      slowest = new double[queries.size()];
    }
    batch.clear();
    @Nullable GpuModel gpu = null;
    WatchedPairs watched = WatchedPairs.NONE;
    @Nullable ColocationProfile last = null;
    @Nullable JobVector victim = null;
    for (int i = 0; i < queries.size(); i++) {
      products[i] = 1;
      relativeErrors[i] = 0;
      slowest[i] = 1;
      ColocationQuery query = queries.get(i);
      if (!query.gpu().equals(gpu)) {
        gpu = query.gpu();
        watched = state.on(gpu).pairs();
        victim = null;
      }
      if (victim == null || last != query.victim()) {
        last = query.victim();
        victim = vectors.get(query.victim(), query.gpu());
      }
      collect(i, query, victim, state, watched);
    }
    flush(state);
  }

  /**
   * Returns the product of the speeds beside each co-runner of a query. Nobody is taken for slower
   * than its share of a GPU that all divide among themselves, unless one co-runner alone slows it
   * down as much.
   */
  double product(int query, int coRunners) {
    return Math.max(products[query], Math.min(slowest[query], 1.0 / (coRunners + 1)));
  }

  /** Returns the sum of the relative errors of the speeds of a query. */
  double relativeError(int query) {
    return relativeErrors[query];
  }

  /** Returns the answer for one pair, given the watched ones. */
  JobVector.Answer answer(JobVector victim, JobVector other, GpuModel gpu, WatchedPairs watched) {
    requireOpen();
    JobVector.Answer remembered = victim.answerBeside(other);
    if (remembered == null) {
      batch.clear();
      batch.put(0, victim, other, vector(gpu));
      ask();
      remembered = remember(0);
      batch.clear();
    }
    return corrected(remembered, watched);
  }

  /** Makes an answer of what was said of a pair of the batch, and has its victim remember it. */
  private JobVector.Answer remember(int pair) {
    JobVector victim = batch.victim(pair);
    JobVector other = batch.other(pair);
    LocalPair classes = new LocalPair(victim.workload(), other.workload());
    JobVector.Answer answer =
        new JobVector.Answer(other, classes, batch.value(pair), batch.error(pair));
    victim.remember(answer);
    return answer;
  }

  /** Brings an answer up to date with what was watched. */
  private static JobVector.Answer corrected(JobVector.Answer answer, WatchedPairs watched) {
    if (answer.isBy(watched)) {
      return answer;
    }
    double shift = 0;
    double error = answer.promised();
    if (!watched.isEmpty()) {
      LocalEffects.Effect effect = watched.effect(answer.classes());
      shift = effect.shift() * answer.promised();
      error = Math.max(LocalEffects.MEASUREMENT, effect.left() * answer.promised());
    }
    answer.correct(Math.clamp(answer.base() + shift, LEAST, 1), error, watched);
    return answer;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the predictor is closed and can be asked no more");
    }
  }

  private void collect(
      int index,
      ColocationQuery query,
      JobVector victim,
      CompositeState state,
      WatchedPairs watched) {
    GpuModel gpu = query.gpu();
    List<ColocationProfile> others = query.coRunners();
    for (int i = 0; i < others.size(); i++) {
      JobVector other = vectors.get(others.get(i), gpu);
      JobVector.Answer answer = victim.answerBeside(other);
      if (answer != null) {
        multiply(index, corrected(answer, watched));
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
    ask();
    for (int pair = 0; pair < batch.size(); pair++) {
      WatchedPairs watched = state.on(batch.gpu(pair)).pairs();
      multiply(batch.owner(pair), corrected(remember(pair), watched));
    }
    batch.clear();
  }

  private void multiply(int index, JobVector.Answer answer) {
    products[index] *= answer.speed();
    relativeErrors[index] += answer.error() / answer.speed();
    slowest[index] = Math.min(slowest[index], answer.speed());
  }

  private void ask() {
    for (int i = 0; i < models.size(); i++) {
      models.get(i).score(batch);
    }
    for (int pair = 0; pair < batch.size(); pair++) {
      addPlainSources(pair);
    }
  }

  /** A source that knows nothing of the pair is not heard beside one measured on the GPU model. */
  private void addPlainSources(int pair) {
    JobVector victim = batch.victim(pair);
    JobVector other = batch.other(pair);
    if (similarity != null) {
      addSimilarity(pair, victim, other, similarity);
    }
    double victimLoad = victim.profile().utilization();
    double otherLoad = other.profile().utilization();
    if (!UtilizationPrior.isBlind(victimLoad, otherLoad) || !batch.hasMeasured(pair)) {
      batch.add(
          pair,
          UtilizationPrior.retainedSpeed(victimLoad, otherLoad),
          UtilizationPrior.error(victimLoad, otherLoad),
          false);
    }
  }

  private void addSimilarity(
      int pair, JobVector victim, JobVector other, SimilarityModel similarity) {
    Prediction said =
        similarity.retainedSpeed(
            victim.profile().workload(), other.profile().workload(), batch.gpu(pair));
    boolean isMeasured = said.provenance() != Provenance.DEFAULT;
    if (isMeasured || !batch.hasMeasured(pair)) {
      double error = Math.max(said.high() - said.value(), said.value() - said.low());
      batch.add(pair, said.value(), error, isMeasured);
    }
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
