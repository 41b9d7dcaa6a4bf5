package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Whether drift is noticed where there is some, and nowhere else. The pairs of a fifth of the data
 * are held out from the models. Streams of {@value #LONG} observations are drawn from them with
 * replacement, on one GPU model each, and the predictor learns from each observation as it would in
 * a cluster. Calm streams are left as measured; of them only those count whose intervals held nine
 * tenths of what they predicted. In slowed streams all speeds are a fifth lower from observation
 * {@value #CALM} on.
 */
public final class DriftEvaluation {
  private static final int CALM = 60;
  private static final int LONG = 2 * CALM;
  private static final double SLOWED = 0.8;
  private static final double PROMISED = 0.9;
  private static final int TRIES = 20;

  /**
   * The results on one GPU model.
   *
   * @param gpu the GPU model
   * @param calm the calm streams whose intervals held
   * @param alarms how many of them raised an alarm at any time
   * @param slowed the slowed streams
   * @param noticed in how many of them an alarm was raised after the slow-down, within {@value
   *     #CALM} observations
   * @param observations the median number of observations that it took
   */
  public record Row(
      GpuModel gpu, int calm, int alarms, int slowed, int noticed, double observations) {}

  private final List<Measurement> measurements;
  private final List<Measurement> also;
  private final long seed;

  /**
   * Creates an evaluation.
   *
   * @param also measurements to learn from as well, which are never asked for
   * @param seed what training and draws start from
   */
  public DriftEvaluation(List<Measurement> measurements, List<Measurement> also, long seed) {
    this.measurements = List.copyOf(measurements);
    this.also = List.copyOf(also);
    this.seed = seed;
  }

  /** Reports each GPU model, after {@code streams} calm and as many slowed streams of each. */
  public void run(int streams, Consumer<Row> report) {
    Map<GpuModel, Streams> byGpu = new TreeMap<>();
    List<PairHoldOut.Fold> folds = PairHoldOut.PAIR.of(measurements, also, seed);
    for (PairHoldOut.Fold fold : folds) {
      try (CompositePredictor predictor = TrainedPredictor.of(fold, List.of(), seed)) {
        add(byGpu, fold, predictor, Math.ceilDiv(streams, folds.size()));
      }
    }
    byGpu.forEach((gpu, all) -> report.accept(all.row(gpu)));
  }

  void add(
      Map<GpuModel, Streams> byGpu,
      PairHoldOut.Fold fold,
      CompositePredictor predictor,
      int streams) {
    for (GpuModel gpu : new TreeSet<>(fold.test().stream().map(Measurement::gpu).toList())) {
      List<Measurement> test = fold.test().stream().filter(m -> m.gpu().equals(gpu)).toList();
      Streams here = byGpu.computeIfAbsent(gpu, key -> new Streams());
      Random random = new Random(seed + fold.name().hashCode());
      int calm = 0;
      for (int i = 0; i < TRIES * streams && calm < streams; i++) {
        calm += here.addCalm(predictor, drawn(test, random)) ? 1 : 0;
      }
      for (int i = 0; i < streams; i++) {
        here.addSlowed(predictor, drawn(test, random));
      }
    }
  }

  private static List<Measurement> drawn(List<Measurement> test, Random random) {
    List<Measurement> stream = new ArrayList<>();
    for (int i = 0; i < LONG; i++) {
      stream.add(test.get(random.nextInt(test.size())));
    }
    return stream;
  }

  /** What came of the streams on one GPU model. */
  static final class Streams {
    private int calm;
    private int alarms;
    private int slowed;
    private final List<Double> noticed = new ArrayList<>();

    /** Returns true if the stream counts. */
    boolean addCalm(CompositePredictor predictor, List<Measurement> stream) {
      PredictorState state = PredictorState.NONE;
      boolean hasAlarm = false;
      int held = 0;
      for (Measurement each : stream) {
        Prediction predicted = predictor.retainedSpeed(each.colocation(), state);
        double speed = each.retainedSpeed();
        held += predicted.low() <= speed && speed <= predicted.high() ? 1 : 0;
        state = predictor.observe(state, each.colocation(), speed);
        hasAlarm |= predictor.isDrifting(state, each.gpu());
      }
      boolean counts = held >= PROMISED * stream.size();
      calm += counts ? 1 : 0;
      alarms += counts && hasAlarm ? 1 : 0;
      return counts;
    }

    void addSlowed(CompositePredictor predictor, List<Measurement> stream) {
      PredictorState state = PredictorState.NONE;
      slowed++;
      for (int i = 0; i < stream.size(); i++) {
        Measurement each = stream.get(i);
        double speed = each.retainedSpeed() * (i < CALM ? 1 : SLOWED);
        state = predictor.observe(state, each.colocation(), speed);
        if (i >= CALM && predictor.isDrifting(state, each.gpu())) {
          noticed.add(i - CALM + 1.0);
          return;
        }
      }
    }

    Row row(GpuModel gpu) {
      double[] sorted = noticed.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      double median = sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
      return new Row(gpu, calm, alarms, slowed, noticed.size(), median);
    }
  }
}
