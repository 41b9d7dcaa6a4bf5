package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Appends predictions to a CSV of co-locations. */
@Command(
    name = "interference",
    description =
        "Appends the columns predicted, low and high (a 90 %% interval) to a CSV of co-locations.",
    mixinStandardHelpOptions = true)
public final class PredictInterference implements Callable<Integer> {
  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "ONNX file (default: the shipped models).")
  private @Nullable Path model;

  @Option(names = "--data", paramLabel = "FILE", required = true, description = "CSV to read.")
  private Path data = Path.of("");

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "CSV to write.")
  private Path out = Path.of("");

  @Override
  public Integer call() throws Exception {
    List<List<Double>> answers = new ArrayList<>();
    try (CompositePredictor predictor = predictor()) {
      for (Measurement question : MeasurementCsv.read(data)) {
        Prediction answer = predictor.retainedSpeed(question.colocation());
        answers.add(List.of(answer.value(), answer.low(), answer.high()));
      }
    }
    MeasurementCsv.append(data, out, List.of("predicted", "low", "high"), answers);
    return 0;
  }

  private CompositePredictor predictor() throws IOException {
    return model == null
        ? CompositePredictor.shipped()
        : CompositePredictor.builder().model(ModelFile.read(model)).build();
  }
}
