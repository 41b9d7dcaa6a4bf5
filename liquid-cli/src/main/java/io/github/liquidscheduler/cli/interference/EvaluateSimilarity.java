package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.similarity.SimilarityEvaluation;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the error of the similarity model on held-out pairs, beside baselines. */
@Command(
    name = "similarity",
    description = "Prints the error of the similarity model on held-out pairs, beside baselines.",
    mixinStandardHelpOptions = true)
public final class EvaluateSimilarity implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private final EvaluationOptions options = new EvaluationOptions();

  @Override
  public Integer call() throws Exception {
    SimilarityEvaluation evaluation =
        new SimilarityEvaluation(options.measurements(), options.seed());
    PrintWriter writer = Printing.to(spec);
    writer.println("mean absolute error of retained speed");
    writer.printf("%-32s %8s %8s %8s %8s%n", "held out", "mean", "bias", "factors", "network");
    switch (options.folds()) {
      case PAIR -> {
        evaluation.observedShares(row -> print(writer, row));
        evaluation.probes(row -> print(writer, row));
      }
      case FAMILY -> evaluation.families(row -> print(writer, row));
      case GPU -> evaluation.gpus(row -> print(writer, row));
    }
    return 0;
  }

  private static void print(PrintWriter writer, SimilarityEvaluation.Row row) {
    writer.printf(
        Locale.ROOT,
        "%-32s %8s %8s %8s %8s%n",
        row.situation(),
        text(row.mean()),
        text(row.bias()),
        text(row.factorization()),
        text(row.network()));
    writer.flush();
  }

  /** Returns a dash for an undefined error: the data has too few pairs for the situation. */
  private static String text(double error) {
    return Double.isNaN(error) ? "-" : String.format(Locale.ROOT, "%.4f", error);
  }
}
