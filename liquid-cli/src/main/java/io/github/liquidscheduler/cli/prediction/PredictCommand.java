package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import io.github.liquidscheduler.training.resource.PredictionCsv;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Appends predictions of a model to a CSV. */
@Command(
    name = "predict",
    description = "Appends predictions of a model to a CSV.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  liquid predict interference --data pairs.csv --out predicted.csv",
      "  liquid predict resources --data tasks.csv --out predicted.csv"
    })
public final class PredictCommand {
  @Command(
      name = "interference",
      description =
          "Appends the columns predicted, low and high (a 90 %% interval) to a CSV of"
              + " co-locations.",
      mixinStandardHelpOptions = true)
  void interference(
      @Option(
              names = "--model",
              paramLabel = "FILE",
              description = "ONNX file (default: the shipped models).")
          @Nullable Path model,
      @Option(names = "--data", paramLabel = "FILE", required = true, description = "CSV to read.")
          Path data,
      @Mixin CsvOutput out)
      throws IOException {
    List<List<Double>> answers = new ArrayList<>();
    try (CompositePredictor predictor = predictor(model)) {
      for (Measurement question : MeasurementCsv.read(data)) {
        Prediction answer = predictor.retainedSpeed(question.colocation());
        answers.add(List.of(answer.value(), answer.low(), answer.high()));
      }
    }
    CsvTable table = CsvTable.read(data);
    List<String> columns = List.of("predicted", "low", "high");
    out.write(answers.size(), file -> table.writeWith(file, columns, answers));
  }

  private static CompositePredictor predictor(@Nullable Path model) throws IOException {
    return model == null
        ? CompositePredictor.shipped()
        : CompositePredictor.builder().model(model).build();
  }

  @Command(
      name = "resources",
      description = "Appends predicted resources, with 90 %% intervals, to a CSV of tasks.",
      mixinStandardHelpOptions = true)
  void resources(
      @Mixin ModelOption model,
      @Option(names = "--data", paramLabel = "FILE", required = true, description = "CSV of tasks.")
          Path data,
      @Mixin CsvOutput out)
      throws IOException {
    try (LearnedResourceEstimator loaded = model.load()) {
      ResourceCsv table = ResourceCsv.read(data);
      out.write(table.samples().size(), file -> PredictionCsv.write(file, table, loaded));
    }
  }
}
