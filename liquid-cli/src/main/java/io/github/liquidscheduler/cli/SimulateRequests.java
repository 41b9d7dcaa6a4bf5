package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.prediction.ResourceEstimator;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.conditions.RequestModel;
import io.github.liquidscheduler.simulator.usage.RequestError;
import io.github.liquidscheduler.simulator.usage.Requests;
import io.github.liquidscheduler.simulator.usage.SharedSpeed;
import io.github.liquidscheduler.simulator.usage.TrueUsage;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import io.github.liquidscheduler.training.resource.UnseenLineages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of what jobs request, and what they use. */
final class SimulateRequests {

  private static final String COMPARE = "compare";

  /** That of the shipped model. */
  private static final long TRAINING_SEED = 1;

  private static final OptionGroup ALL = OptionGroup.of(SimulateRequests.class);

  @Option(
      names = "--over-request",
      paramLabel = "FACTOR",
      description = "Median ratio of requested to used resources, from 0.01 to 100 (default: 2.0).")
  private double overRequest = 2;

  @Option(
      names = "--request-spread",
      paramLabel = "FACTOR",
      description =
          "Factor by which that ratio varies between jobs, up or down, from 1 to 100"
              + " (default: 1.5).")
  private double spread = 1.5;

  @Option(
      names = "--under-request-fraction",
      paramLabel = "FRACTION",
      description =
          "Fraction of the jobs that request too little, by the same factor, from 0 to 1"
              + " (default: 0.02).")
  private double underRequestFraction = 0.02;

  @Option(
      names = "--estimator",
      paramLabel = "ESTIMATOR",
      description = {
        "Source of resource requests: off (the users), shipped (an estimator with the shipped"
            + " model), unseen (the same, but of each family asked a model that was trained without"
            + " its lineage, such as all ResNets), none (an estimator without a model, which learns"
            + " from completed jobs), FILE (an estimator with this model), exact (perfect"
            + " knowledge), or compare: all but FILE side by side (default: off)."
      })
  private String estimator = "off";

  @Option(
      names = "--usage",
      paramLabel = "FILE",
      description =
          "Measured usage, one row drawn for each job (default: published figures of an A100).")
  private @Nullable Path usage;

  /** Returns true if any of these options was given; only then is usage simulated. */
  boolean isAny(CommandSpec spec) {
    return ALL.isGiven(spec);
  }

  boolean isComparison() {
    return estimator.equals(COMPARE);
  }

  /** Returns the names of the request models to compare. */
  static List<String> ways() {
    return List.of("off", "none", "unseen", "shipped", "exact");
  }

  /** Adds the options to the settings of a run. */
  void addTo(Map<String, String> settings) {
    settings.put("estimator", estimator);
    settings.put("over-request", Double.toString(overRequest));
  }

  /** Refuses all of them beside --elastic. */
  void refuseAny(CommandSpec spec) {
    ALL.refuse(spec, "--elastic supports none of the options of requests");
  }

  /** Lets jobs request what was chosen, and run as fast as that allows. */
  void apply(Simulation.Builder simulation, SchedulerOptions options) {
    apply(simulation, estimator, truth(options.conditions().seed()), options);
  }

  /** Lets jobs request by the model of this name, and run as fast as that allows. */
  void apply(Simulation.Builder simulation, String way, TrueUsage truth, SchedulerOptions options) {
    simulation
        .requestModel(requestModel(way, truth, options.cluster(), options.conditions().seed()))
        .speed(SharedSpeed.of(options.conditions().speed(), truth));
  }

  TrueUsage truth(long seed) {
    return TrueUsage.of(samples(), seed);
  }

  private RequestModel requestModel(
      String way, TrueUsage truth, ClusterTopology cluster, long seed) {
    return switch (way) {
      case "off" -> {
        RequestError error = new RequestError(overRequest, spread, underRequestFraction);
        yield Requests.byUsers(truth, cluster, error, seed);
      }
      case "exact" -> Requests.exact(truth, cluster);
      default -> Requests.estimated(truth, cluster, estimator(way));
    };
  }

  private static ResourceEstimator estimator(String way) {
    try {
      return switch (way) {
        case "none" -> LearnedResourceEstimator.withoutModel();
        case "shipped" -> LearnedResourceEstimator.shipped();
        case "unseen" -> new UnseenLineages(ResourceCsv.published().samples(), TRAINING_SEED);
        default -> LearnedResourceEstimator.read(Path.of(way));
      };
    } catch (IOException e) {
      throw new UncheckedIOException("--estimator: cannot read '" + way + "': " + e, e);
    }
  }

  private List<ResourceSample> samples() {
    try {
      return (usage == null ? ResourceCsv.published() : ResourceCsv.read(usage)).samples();
    } catch (IOException e) {
      throw new UncheckedIOException("--usage: cannot read '" + usage + "': " + e, e);
    }
  }
}
