package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.interference.InterferenceEvaluation;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints error and interval coverage of the interference model on held-out measurements. */
@Command(
    name = "interference",
    description =
        "Prints error and interval coverage of the interference model on held-out measurements.",
    mixinStandardHelpOptions = true)
public final class EvaluateInterference implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private final EvaluationOptions options = new EvaluationOptions();
  @Mixin private final ExtraTrainingData more = new ExtraTrainingData();

  @Override
  public Integer call() throws Exception {
    InterferenceEvaluation evaluation =
        new InterferenceEvaluation(options.measurements(), more.measurements(), options.seed());
    PrintWriter writer = Printing.to(spec);
    writer.println("mean absolute error of retained speed, and coverage of 90 % intervals");
    writer.printf(
        "%-24s %6s %7s %8s %7s %7s %8s %7s %7s%n",
        "held out", "count", "mean", "network", "trees", "blend", "network", "trees", "blend");
    evaluation.run(options.folds(), row -> print(writer, row));
    return 0;
  }

  private static void print(PrintWriter writer, InterferenceEvaluation.Row row) {
    writer.printf(
        Locale.ROOT,
        "%-24s %6d %7.4f %8.4f %7.4f %7.4f %7.1f%% %6.1f%% %6.1f%%%n",
        row.fold(),
        row.count(),
        row.mean(),
        row.network(),
        row.trees(),
        row.blend(),
        100 * row.networkCoverage(),
        100 * row.treesCoverage(),
        100 * row.blendCoverage());
    writer.flush();
  }
}
