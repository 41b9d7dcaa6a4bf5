package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.cli.prediction.Console;
import io.github.liquidscheduler.cli.prediction.ModelOption;
import io.github.liquidscheduler.cli.prediction.RandomSeed;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares predicted with measured resource usage. */
@Command(
    name = "resources",
    description = "Compares predicted with measured resource usage of tasks.",
    mixinStandardHelpOptions = true)
final class EvaluateResources implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ModelOption model = new ModelOption();
  @Mixin private final RandomSeed random = new RandomSeed();

  @ArgGroup(multiplicity = "1")
  private final Subject subject = new Subject();

  @Option(
      names = "--held-out",
      paramLabel = "GROUP",
      description =
          "Cross-validate instead of querying a model: train without each family, lineage or source"
              + " in turn: ${COMPLETION-CANDIDATES}.")
  private ResourceEvaluation.@Nullable HeldOut heldOut;

  @Option(
      names = "--held-out-half-of",
      paramLabel = "SOURCE",
      description =
          "Cross-validate over all ways to hold out half of the families that this source"
              + " measured; all tests are pooled.")
  private @Nullable String halved;

  /** What is evaluated: one of them. */
  static final class Subject {
    @Option(
        names = "--data",
        paramLabel = "FILE",
        description = "CSV of tasks with measured usage.")
    private @Nullable Path data;

    @Option(
        names = "--compare-learners",
        description = "Compare learners on generated jobs, as in Liquid's figure 10.")
    private boolean isComparison;

    @Option(
        names = "--public-data",
        paramLabel = "FOLDER",
        description =
            "Predict the device memory of each public data set in this folder from the others.")
    private @Nullable Path publicData;
  }

  @Override
  public Integer call() throws IOException {
    Console console = new Console(spec);
    if (subject.publicData != null) {
      MemoryEvaluation.run(subject.publicData, random.seed()).forEach(l -> console.print("%s", l));
    } else if (subject.isComparison || subject.data == null) {
      LearnerComparison.run(random.seed()).forEach(line -> console.print("%s", line));
    } else {
      print(console, outcomes(ResourceCsv.read(subject.data).samples()));
    }
    return 0;
  }

  private List<Outcome> outcomes(List<ResourceSample> samples) throws IOException {
    if (halved != null) {
      return ResourceEvaluation.halves(samples, halved).stream()
          .flatMap(
              way -> ResourceEvaluation.split(way.training(), way.test(), random.seed()).stream())
          .toList();
    }
    if (heldOut != null) {
      return ResourceEvaluation.heldOut(samples, heldOut, random.seed());
    }
    try (LearnedResourceEstimator loaded = model.load()) {
      return ResourceEvaluation.estimate(loaded, samples);
    }
  }

  private void print(Console console, List<Outcome> outcomes) {
    List<TargetScore> scores = ResourceEvaluation.scores(outcomes);
    if (scores.isEmpty()) {
      throw new IllegalArgumentException(
          "at least one row must have measured usage, but none has, in " + subject.data);
    }
    console.print(
        "%-28s %7s %12s %12s %8s %10s %9s %14s",
        "target", "rows", "rmse", "mae", "r2", "median_ape", "coverage", "underestimated");
    for (TargetScore score : scores) {
      console.print(
          "%-28s %7d %12.5g %12.5g %8s %10.4f %9.4f %14.4f",
          score.target().column(),
          score.count(),
          score.rmse(),
          score.mae(),
          EvaluateCommand.number(score.r2()),
          score.medianRelativeError(),
          score.coverage(),
          score.underestimated());
    }
  }
}
