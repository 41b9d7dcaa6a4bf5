package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import io.github.liquidscheduler.training.resource.PredictionCsv;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
      "  liquid predict resources --data tasks.csv --out predicted.csv",
      "  liquid predict resources --data tasks.csv --observed ran.csv --explain --out p.csv"
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
      @Mixin LearnFirst first,
      @Mixin CsvOutput out)
      throws IOException {
    List<List<Object>> answers = new ArrayList<>();
    try (CompositePredictor predictor = predictor(model)) {
      PredictorState state = PredictorState.NONE;
      for (Measurement seen : first.colocations()) {
        state = predictor.observe(state, seen.colocation(), seen.retainedSpeed());
      }
      for (Measurement question : MeasurementCsv.readQuestions(data)) {
        Prediction answer = predictor.retainedSpeed(question.colocation(), state);
        List<Object> cells = new ArrayList<>(List.of(answer.value(), answer.low(), answer.high()));
        if (first.isExplained()) {
          cells.add(answer.provenance().toString().toLowerCase(Locale.ROOT));
          cells.add(String.join(" | ", predictor.explain(question.colocation(), state)));
        }
        answers.add(cells);
      }
    }
    CsvTable table = CsvTable.read(data);
    List<String> columns = new ArrayList<>(List.of("predicted", "low", "high"));
    if (first.isExplained()) {
      columns.addAll(List.of("source_of_prediction", "explanation"));
    }
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
      @Mixin LearnFirst first,
      @Mixin CsvOutput out)
      throws IOException {
    try (LearnedResourceEstimator loaded = model.load()) {
      first.tasks().forEach(loaded::observe);
      ResourceCsv table = ResourceCsv.read(data);
      out.write(
          table.samples().size(),
          file -> PredictionCsv.write(file, table, loaded, first.isExplained()));
    }
  }
}
