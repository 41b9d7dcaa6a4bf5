package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of an evaluation: the measurements, and which are held out. */
final class EvaluationOptions {
  @Option(
      names = "--data",
      paramLabel = "FILE",
      required = true,
      description = "Measurements: CSV, or Gavel's throughput JSON.")
  private Path data = Path.of("");

  @Option(
      names = "--folds",
      paramLabel = "FOLDS",
      defaultValue = "PAIR",
      description = "What is held out: ${COMPLETION-CANDIDATES} (default: PAIR).")
  private PairHoldOut folds = PairHoldOut.PAIR;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Random seed (default: 1).")
  private long seed;

  List<Measurement> measurements() throws IOException {
    return MeasurementFiles.measured(data);
  }

  PairHoldOut folds() {
    return folds;
  }

  long seed() {
    return seed;
  }
}
