package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.cli.prediction.Console;
import io.github.liquidscheduler.cli.prediction.ExtraTrainingData;
import io.github.liquidscheduler.cli.prediction.InterferenceData;
import io.github.liquidscheduler.cli.prediction.RandomSeed;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
      "  liquid-lab evaluate interference --data pairs.csv --folds family",
      "  liquid-lab evaluate interference --data pairs.csv --folds family --local-pairs 16",
      "  liquid-lab evaluate similarity --data pairs.csv",
      "  liquid-lab evaluate resources --data tasks.csv --model resources.onnx"
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
  void interference(
      @Mixin HeldOut heldOut,
      @Mixin ExtraTrainingData more,
      @Option(
              names = "--local-pairs",
              paramLabel = "PAIRS",
              description =
                  "With --folds family: the whole predictor at first sight, and after so many"
                      + " co-locations of the family, at least 1, were watched on one GPU model"
                      + " (default: no family is watched).")
          @Nullable Integer localPairs,
      @Option(
              names = "--rates-on-one-gpu",
              description =
                  "With --local-pairs: rates alone are known on the GPU model that is asked for,"
                      + " not on all.")
          boolean isOnOneGpu)
      throws IOException {
    if (localPairs != null) {
      List<Measurement> also = more.measurements();
      print(
          localPairs,
          heldOut.folds,
          new LocalPairsEvaluation(
              heldOut.data.measured(), also, !isOnOneGpu, heldOut.random.seed()));
      return;
    }
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
      name = "drift",
      description =
          "Prints in how many streams of held-out pairs drift is noticed, with and without a"
              + " slow-down by a fifth.",
      mixinStandardHelpOptions = true)
  void drift(
      @Mixin InterferenceData data,
      @Mixin ExtraTrainingData more,
      @Mixin RandomSeed random,
      @Option(
              names = "--streams",
              paramLabel = "STREAMS",
              defaultValue = "100",
              description = "Streams of either kind on each GPU model, at least 1 (default: 100).")
          int streams)
      throws IOException {
    Console console = new Console(spec);
    console.print(
        "%-10s %12s %12s %8s %8s %20s",
        "GPU model", "calm streams", "false alarms", "slowed", "noticed", "median observations");
    new DriftEvaluation(data.measured(), more.measurements(), random.seed())
        .run(
            streams,
            row ->
                console.print(
                    "%-10s %12d %12d %8d %8d %20s",
                    row.gpu(),
                    row.calm(),
                    row.alarms(),
                    row.slowed(),
                    row.noticed(),
                    number(row.observations())));
  }

  private void print(int count, PairHoldOut folds, LocalPairsEvaluation evaluation) {
    if (folds != PairHoldOut.FAMILY || count < 1) {
      throw new IllegalArgumentException(
          "--local-pairs must be at least 1 and goes with --folds family, but was %d with --folds %s"
              .formatted(count, folds));
    }
    Console console = new Console(spec);
    console.print("mean absolute error of retained speed, coverage and width of 90 %% intervals");
    console.print(
        "%-24s %8s %11s %8s   %20s   %17s %2d",
        "held out", "constant", "utilization", "additive", "first sight", "local pairs:", count);
    evaluation.run(count, row -> print(console, row));
  }

  private static void print(Console console, LocalPairsEvaluation.Row row) {
    console.print(
        "%-24s %8.4f %11.4f %8.4f   %7.4f %5.1f%% %6.3f   %7.4f %5.1f%% %6.3f",
        row.family(),
        row.constant(),
        row.utilization(),
        row.additive(),
        row.first().error(),
        100 * row.first().coverage(),
        row.first().width(),
        row.watched().error(),
        100 * row.watched().coverage(),
        row.watched().width());
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
                number(row.mean()),
                number(row.bias()),
                number(row.factorization()),
                number(row.network()));
    switch (heldOut.folds) {
      case PAIR -> {
        evaluation.observedShares(print);
        evaluation.probes(print);
      }
      case FAMILY -> evaluation.families(print);
      case GPU -> evaluation.gpus(print);
    }
  }

  /** Returns a figure with four decimals, or a dash if it is undefined, for lack of data. */
  static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4f", value);
  }
}
