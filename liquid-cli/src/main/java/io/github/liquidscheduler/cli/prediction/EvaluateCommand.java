package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.training.interference.InterferenceEvaluation;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.similarity.SimilarityEvaluation;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Evaluates a model on held-out measurements. */
@Command(
    name = "evaluate",
    description = "Evaluates a model on held-out measurements.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = EvaluateResources.class,
    footer = {
      "",
      "Examples:",
      "  liquid evaluate interference --data pairs.csv --folds family",
      "  liquid evaluate similarity --data pairs.csv",
      "  liquid evaluate resources --data tasks.csv --model resources.onnx"
    })
public final class EvaluateCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** What is evaluated on, and what is held out. */
  static final class HeldOut {
    @Mixin private final InterferenceData data = new InterferenceData();
    @Mixin private final RandomSeed random = new RandomSeed();

    @Option(
        names = "--folds",
        paramLabel = "FOLDS",
        defaultValue = "PAIR",
        description = "What is held out: ${COMPLETION-CANDIDATES} (default: PAIR).")
    private PairHoldOut folds = PairHoldOut.PAIR;
  }

  @Command(
      name = "interference",
      description =
          "Prints error and interval coverage of the interference model on held-out measurements.",
      mixinStandardHelpOptions = true)
  void interference(@Mixin HeldOut heldOut, @Mixin ExtraTrainingData more) throws IOException {
    InterferenceEvaluation evaluation =
        new InterferenceEvaluation(
            heldOut.data.measured(), more.measurements(), heldOut.random.seed());
    Console console = new Console(spec);
    console.print("mean absolute error of retained speed, and coverage of 90 %% intervals");
    console.print(
        "held out                  count    mean  network   trees   blend  network   trees  "
            + " blend");
    evaluation.run(
        heldOut.folds,
        row ->
            console.print(
                "%-24s %6d %7.4f %8.4f %7.4f %7.4f %7.1f%% %6.1f%% %6.1f%%",
                row.fold(),
                row.count(),
                row.mean(),
                row.network(),
                row.trees(),
                row.blend(),
                100 * row.networkCoverage(),
                100 * row.treesCoverage(),
                100 * row.blendCoverage()));
  }

  @Command(
      name = "similarity",
      description = "Prints the error of the similarity model on held-out pairs, beside baselines.",
      mixinStandardHelpOptions = true)
  void similarity(@Mixin HeldOut heldOut) throws IOException {
    SimilarityEvaluation evaluation =
        new SimilarityEvaluation(heldOut.data.measured(), heldOut.random.seed());
    Console console = new Console(spec);
    console.print("mean absolute error of retained speed");
    console.print("held out                             mean     bias  factors  network");
    Consumer<SimilarityEvaluation.Row> print =
        row ->
            console.print(
                "%-32s %8s %8s %8s %8s",
                row.situation(),
                Console.number(row.mean()),
                Console.number(row.bias()),
                Console.number(row.factorization()),
                Console.number(row.network()));
    switch (heldOut.folds) {
      case PAIR -> {
        evaluation.observedShares(print);
        evaluation.probes(print);
      }
      case FAMILY -> evaluation.families(print);
      case GPU -> evaluation.gpus(print);
    }
  }
}
