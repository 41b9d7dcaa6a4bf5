package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.InterferenceSchema;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Trains the interference model, and measures by cross-validation the error quantiles that its
 * intervals come from: over pairs for classes that it knows, over families for those it does not.
 * The same data and seed give the same file, byte for byte.
 */
public final class InterferenceTrainer {
  private static final int LEAST = 40;
  private static final double QUANTILE = 0.9;

  private final long seed;
  private final Learners learners;

  /** Creates a trainer of networks whose randomness comes from {@code seed}. */
  public InterferenceTrainer(long seed) {
    this(Learners.NETWORK, seed);
  }

  /** Creates a trainer whose randomness comes from {@code seed}. */
  public InterferenceTrainer(Learners learners, long seed) {
    this.learners = learners;
    this.seed = seed;
  }

  /**
   * Returns the trained model as an ONNX file.
   *
   * @param dataHash the SHA-256 of the data, for the file's metadata
   * @throws IllegalArgumentException if fewer than 40 co-locations were measured
   */
  public byte[] train(List<Measurement> measurements, String dataHash) {
    return train(measurements, List.of(), dataHash);
  }

  /**
   * Returns the trained model as an ONNX file.
   *
   * @param also measurements to learn from as well; its intervals and stated errors are those of
   *     {@code measurements}
   * @param dataHash the SHA-256 of the data, for the file's metadata
   * @throws IllegalArgumentException if fewer than 40 co-locations were measured
   */
  public byte[] train(List<Measurement> measurements, List<Measurement> also, String dataHash) {
    long measured = measurements.stream().filter(Measurement::isMeasured).count();
    if (measured < LEAST) {
      throw new IllegalArgumentException(
          "an interference model needs at least %d measured co-locations, but there were %d"
              .formatted(LEAST, measured));
    }
    HeldOut pairs = heldOut(measurements, also, PairHoldOut.PAIR);
    HeldOut families = heldOut(measurements, also, PairHoldOut.FAMILY);
    Map<String, Double> familiar = pairs.quantiles(QUANTILE);
    SpeedExamples examples =
        new SpeedExamples(Stream.concat(measurements.stream(), also.stream()).toList());
    SpeedModel model = learners.learn(examples, seed);
    String error =
        String.format(
            Locale.ROOT,
            "mae=%.4f folds=pair; mae=%.4f folds=family; co-locations=%d",
            pairs.error(),
            families.error(),
            measured);
    return model.toBytes(
        InterferenceSchema.metadata(
                model.columns(),
                examples.history(),
                familiar,
                families.answers().isEmpty() ? familiar : families.quantiles(QUANTILE))
            .trainedOn(dataHash, error)
            .withNote("learners", learners.name().toLowerCase(Locale.ROOT)));
  }

  private HeldOut heldOut(
      List<Measurement> measurements, List<Measurement> also, PairHoldOut folds) {
    HeldOut heldOut = new HeldOut();
    for (PairHoldOut.Fold fold : folds.of(measurements, also, seed)) {
      if (fold.train().size() >= LEAST / 2) {
        heldOut.add(fold, learners, seed);
      }
    }
    return heldOut;
  }
}
