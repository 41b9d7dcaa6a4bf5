package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.cli.rounds.StepsConverter;
import io.github.liquidscheduler.lab.rounds.comparison.RoundComparison;
import io.github.liquidscheduler.lab.rounds.comparison.RoundExperiment;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import io.github.liquidscheduler.simulator.rounds.NamedRoundAlgorithm;
import io.github.liquidscheduler.simulator.rounds.RoundSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the algorithms for jobs of rounds on fleets like the ones of Hare. */
@Command(
    name = "hare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares algorithms for jobs of rounds on the 15 GPUs that Hare (HPDC'22) was measured on,"
          + " and on 160, with random jobs: average completion times, and how many times as long"
          + " jobs take as with fluid, with hlas and in a bound that no schedule is below, as mean"
          + " of the seeds with 95 %% of confidence.",
      "lab/liquid-lab/docs/research.md tells the conditions and the results.",
      ""
    },
    footer = {"", "Example:", "  liquid-lab reproduce hare --seeds 3"})
final class ReproduceHare implements Callable<Integer> {

  private static final int MOST_SEEDS = 1000;

  private static final List<NamedRoundAlgorithm> ALGORITHMS =
      List.of(
          NamedRoundAlgorithm.FLUID,
          NamedRoundAlgorithm.WSPT,
          NamedRoundAlgorithm.SRPT,
          NamedRoundAlgorithm.HLAS,
          NamedRoundAlgorithm.HLAS_CLASSES,
          NamedRoundAlgorithm.LAS,
          NamedRoundAlgorithm.GANG_LAS,
          NamedRoundAlgorithm.GANG_SJF,
          NamedRoundAlgorithm.HOMO,
          NamedRoundAlgorithm.ALLOX,
          NamedRoundAlgorithm.GANG_FIFO);

  @Option(
      names = "--seeds",
      paramLabel = "SETS",
      defaultValue = "20",
      description =
          "How many sets of jobs are drawn for each load, from 1 to 1000 (default:"
              + " ${DEFAULT-VALUE}).")
  private int seeds = 20;

  @Option(
      names = "--steps",
      paramLabel = "CHANGES",
      converter = StepsConverter.class,
      description =
          "How many changes local search tries of the plans of fluid and wspt, from 0 to"
              + " 999999999 (default: 1000, fewer for large problems).")
  private @Nullable Integer steps;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (seeds < 1 || seeds > MOST_SEEDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--seeds must be from 1 to %d, but was %d".formatted(MOST_SEEDS, seeds));
    }
    PrintWriter out = spec.commandLine().getOut();
    OptionalInt changes = steps == null ? OptionalInt.empty() : OptionalInt.of(steps);
    RoundSettings settings = RoundSettings.DEFAULTS.withSteps(changes, 1);
    for (RoundExperiment experiment : RoundExperiment.likeHare()) {
      out.println(experiment.name());
      table(RoundComparison.run(experiment, ALGORITHMS, settings, seeds)).print(out);
      out.println();
      out.flush();
    }
    return 0;
  }

  private static Table table(RoundComparison comparison) {
    Table table =
        Table.of("algorithm | average completion, s | times fluid | times hlas | times the bound");
    for (NamedRoundAlgorithm algorithm : comparison.algorithms()) {
      table.row(
          List.of(
              algorithm.toString(),
              String.format(Locale.ROOT, "%,.1f", comparison.mean(algorithm)),
              text(comparison.times(algorithm, NamedRoundAlgorithm.FLUID)),
              text(comparison.times(algorithm, NamedRoundAlgorithm.HLAS)),
              text(comparison.timesBound(algorithm))));
    }
    return table;
  }

  private static String text(MeanInterval interval) {
    return String.format(Locale.ROOT, "%.2f +- %.2f", interval.mean(), interval.halfWidth());
  }
}
