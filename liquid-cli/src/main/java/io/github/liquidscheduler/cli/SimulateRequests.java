package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.resource.ResourceModel;
import io.github.liquidscheduler.estimator.resource.ResourceSample;
import io.github.liquidscheduler.simulator.RequestModel;
import io.github.liquidscheduler.simulator.usage.RequestError;
import io.github.liquidscheduler.simulator.usage.Requests;
import io.github.liquidscheduler.simulator.usage.TrueUsage;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of what jobs ask for, and what they really use. */
final class SimulateRequests {

  static final String COMPARE = "compare";

  @Option(
      names = "--over-ask",
      paramLabel = "FACTOR",
      description = "How much more than they use users ask for, in the middle (default: 2.0).")
  private @Nullable Double overAsk;

  @Option(
      names = "--ask-spread",
      paramLabel = "FACTOR",
      description = "By what factor that varies from job to job, either way (default: 1.5).")
  private @Nullable Double spread;

  @Option(
      names = "--under-ask",
      paramLabel = "PART",
      description =
          "The part of the jobs that ask for too little by mistake, by the same factor (default:"
              + " 0.02).")
  private @Nullable Double underAsk;

  @Option(
      names = "--estimator",
      paramLabel = "WHO",
      description = {
        "Who says what jobs need: off (their users), shipped (an estimator with the shipped"
            + " model), none (one without a model, which learns from what it sees), FILE (one with"
            + " this model), exact (perfect knowledge), or compare, which runs off, none, shipped"
            + " and exact side by side (default: off)."
      })
  private @Nullable String estimator;

  @Option(
      names = "--usage",
      paramLabel = "FILE",
      description =
          "What jobs really use: a table of measurements, from which each job draws one (default:"
              + " published figures of an A100).")
  private @Nullable Path usage;

  /** Returns whether any of these options was given: only then do jobs use anything. */
  boolean isAny() {
    return Stream.of(overAsk, spread, underAsk, estimator, usage).anyMatch(Objects::nonNull);
  }

  boolean isComparison() {
    return COMPARE.equals(estimator);
  }

  /** Returns the ways to ask that are to be run, by name. */
  List<String> ways() {
    return isComparison() ? List.of("off", "none", "shipped", "exact") : List.of(estimator());
  }

  String estimator() {
    return Objects.requireNonNullElse(estimator, "off");
  }

  double overAsk() {
    return Objects.requireNonNullElse(overAsk, 2.0);
  }

  /** Complains if any was set, since a reference simulator knows none of them. */
  void refuseAny(CommandSpec spec) {
    if (isAny()) {
      throw new ParameterException(
          spec.commandLine(), "a reference simulator knows none of the options of requests");
    }
  }

  TrueUsage truth(long seed) {
    return TrueUsage.of(samples(), seed);
  }

  /** Runs with what asks in this way. */
  RequestModel asking(String way, TrueUsage truth, ClusterTopology cluster, long seed) {
    return switch (way) {
      case "off" -> Requests.byUsers(truth, cluster, error(), seed);
      case "exact" -> Requests.exact(truth, cluster);
      default -> Requests.estimated(truth, cluster, estimator(way));
    };
  }

  private static LearnedResourceEstimator estimator(String way) {
    try {
      return switch (way) {
        case "none" -> LearnedResourceEstimator.withoutModel();
        case "shipped" -> LearnedResourceEstimator.of(ResourceModel.shipped());
        default -> LearnedResourceEstimator.of(ResourceModel.read(Path.of(way)));
      };
    } catch (IOException e) {
      throw new UncheckedIOException("--estimator: cannot read '" + way + "': " + e, e);
    }
  }

  private RequestError error() {
    return new RequestError(
        overAsk(),
        Objects.requireNonNullElse(spread, 1.5),
        Objects.requireNonNullElse(underAsk, 0.02));
  }

  private List<ResourceSample> samples() {
    try {
      return (usage == null ? ResourceCsv.published() : ResourceCsv.read(usage)).samples();
    } catch (IOException e) {
      throw new UncheckedIOException("--usage: cannot read '" + usage + "': " + e, e);
    }
  }
}
