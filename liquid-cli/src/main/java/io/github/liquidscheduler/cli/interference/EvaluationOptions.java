package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** By what a kind of model is judged, and what of it is hidden. */
final class EvaluationOptions {
  @Option(names = "--data", required = true, description = "CSV, or Gavel's throughput JSON.")
  private Path data = Path.of("");

  @Option(
      names = "--folds",
      defaultValue = "PAIR",
      description = "What is hidden: ${COMPLETION-CANDIDATES}. Default: pair.")
  private PairHoldOut folds = PairHoldOut.PAIR;

  @Option(names = "--seed", defaultValue = "1", description = "Default: 1.")
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
