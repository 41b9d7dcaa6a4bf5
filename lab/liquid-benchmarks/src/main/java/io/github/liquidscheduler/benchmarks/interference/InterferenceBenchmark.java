package io.github.liquidscheduler.benchmarks.interference;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast interference is predicted with the shipped models. Run with {@code -prof gc} to see that
 * no candidate leaves garbage.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
public class InterferenceBenchmark {
  private static final int CANDIDATES = 256;
  private static final GpuModel GPU = GpuModel.of("V100");
  private static final List<String> FAMILIES =
      List.of("ResNet-18", "ResNet-50", "Transformer", "LM", "Recommendation");

  private final ModelFile model = ModelFile.shipped(CompositePredictor.class, "interference.onnx");
  private final BatchScorer scorer = model.scorer();
  private final float[] rows = new float[CANDIDATES * scorer.width()];
  private final float[] answers = new float[CANDIDATES * scorer.outputs()];
  private final CompositePredictor predictor = CompositePredictor.shipped();
  private final List<ColocationQuery> candidates = new ArrayList<>();
  private final float[] speeds = new float[CANDIDATES];
  private final float[] lows = new float[CANDIDATES];
  private final List<ColocationProfile> residents = new ArrayList<>();
  private double newJobs;

  /** Draws rows, and 256 candidates for one job beside residents of 60 classes. */
  @Setup
  public void draw() {
    Random random = new Random(7);
    for (int i = 0; i < rows.length; i++) {
      rows[i] = (float) random.nextGaussian();
    }
    for (int i = 0; i < 60; i++) {
      residents.add(profile(FAMILIES.get(i % FAMILIES.size()), 8 << (i / FAMILIES.size())));
    }
    candidates.addAll(candidatesFor(profile("LM", 20)));
  }

  /** Frees what is outside the heap. */
  @TearDown
  public void close() {
    scorer.close();
    model.close();
    predictor.close();
  }

  /** The network alone on 256 rows; the figure is per pair. */
  @Benchmark
  @OperationsPerInvocation(CANDIDATES)
  public float onePairOfABatch() {
    scorer.score(rows, CANDIDATES, answers);
    return answers[0];
  }

  /** One decision: an arriving job beside 256 candidates, by the whole blend. */
  @Benchmark
  public float aDecisionOf256Candidates() {
    predictor.retainedSpeeds(candidates, PredictorState.NONE, speeds, lows);
    return speeds[0];
  }

  /**
   * The same for a job whose profile was never asked about, nor one equal to it; the figure
   * includes its making.
   */
  @Benchmark
  public float aDecisionOf256CandidatesForANewJob() {
    ColocationProfile known = profile("LM", 20);
    ColocationProfile unlikeAll =
        new ColocationProfile(known.workload(), Double.NaN, Double.NaN, Double.NaN, ++newJobs);
    predictor.retainedSpeeds(candidatesFor(unlikeAll), PredictorState.NONE, speeds, lows);
    return speeds[0];
  }

  private List<ColocationQuery> candidatesFor(ColocationProfile arriving) {
    List<ColocationQuery> found = new ArrayList<>();
    for (int i = 0; i < CANDIDATES; i++) {
      found.add(new ColocationQuery(GPU, arriving, List.of(residents.get(i % residents.size()))));
    }
    return found;
  }

  private static ColocationProfile profile(String family, int batch) {
    return ColocationProfile.of(Workload.builder(family).batchSize(batch).build());
  }
}
