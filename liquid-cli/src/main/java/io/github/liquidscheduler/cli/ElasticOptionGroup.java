package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.simulator.elastic.CurvePredictor;
import io.github.liquidscheduler.simulator.elastic.CurveSpeed;
import io.github.liquidscheduler.simulator.elastic.ElasticInput;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurves;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of simulations of elastic jobs. */
public final class ElasticOptionGroup {

  private static final String COOL_DOWN = "--cool-down";

  private static final double NANOS = 1e9;

  @Option(
      names = "--curves",
      paramLabel = "FILE",
      description =
          "CSV of throughput curves: model,gpus,iterations_per_second; required. The columns of the"
              + " trace are job,arrival,model,size,iterations,min,max.")
  private @Nullable Path curves;

  @Option(
      names = "--scaling-cost",
      paramLabel = "COST",
      description =
          "Pause of a job whose size changes: zero; free (stop-free: 2.5 s to grow, none to shrink,"
              + " 40 s and 5 s per GPU to restart); or stop (40 s and 5 s per GPU for every resize"
              + " and restart) (default: free).")
  private String scalingCost = "free";

  @Option(
      names = "--pending-limit",
      paramLabel = "JOBS",
      description =
          "Compaction: shrink jobs below the top queue while more than this number of jobs"
              + " wait, at least 0 (default: 10).")
  private int pendingLimit = 10;

  @Option(
      names = "--min-fraction",
      paramLabel = "FRACTION",
      description =
          "Least size of a job, as a fraction of its submitted size, from 0 to 1 (default:"
              + " 0.5).")
  private double minFraction = 0.5;

  @Option(
      names = "--least-gain",
      paramLabel = "GAIN",
      description =
          "Expansion: add a GPU only if it adds more than this speed-up, in units of the"
              + " throughput of one GPU, from 0 to below 1 (default: 0.02).")
  private double leastGain = 0.02;

  @Option(
      names = COOL_DOWN,
      paramLabel = "TIME",
      description =
          "Time for which a job keeps its size after a change (default: 0, and 60s with"
              + " --elastic).")
  private Duration coolDown = Duration.ZERO;

  @Option(
      names = "--service-thresholds",
      paramLabel = "GPU-SECONDS",
      split = ",",
      description =
          "Attained service in GPU-seconds at which jobs leave each queue but the last, such"
              + " as 3250,7200. Jobs then go to the tail of a queue, and those that run to its head"
              + " (default: 3600, and queues sorted by first start; with --elastic 3250,7200).")
  private List<Double> thresholds = List.of();

  @Option(
      names = "--measured-sizes",
      description = "Only give jobs numbers of GPUs that were measured.")
  private boolean measuredSizes;

  /** Refuses what does not go together. */
  public void check(CommandSpec spec, boolean isElastic, String format) {
    OptionRules.refuseIf(
        spec,
        isElastic != format.equals(ElasticTrace.FORMAT),
        "--format elastic needs --elastic, and --elastic needs it");
    OptionRules.refuseIf(spec, isElastic && curves == null, "elastic jobs need --curves");
    if (!isElastic) {
      OptionGroup.of(ElasticOptionGroup.class)
          .refuse(
              spec,
              "--curves, --scaling-cost and the options of elastic policies need --format elastic");
    }
    OptionRules.refuseIf(
        spec,
        pendingLimit < 0
            || !(minFraction >= 0 && minFraction <= 1)
            || !(leastGain >= 0 && leastGain < 1),
        "--pending-limit must be at least 0, --min-fraction from 0 to 1 and --least-gain from 0 to"
            + " below 1");
  }

  /** Returns the trace and what the options say about it, for the scheduler itself. */
  ElasticRuns runs(CommandSpec spec, Path trace, ClusterTopology cluster, ElasticModeOptions mode) {
    ThroughputCurves read = curves();
    int gpusPerNode = cluster.nodes().stream().mapToInt(node -> node.gpus().size()).max().orElse(1);
    CurvePredictor known = new CurvePredictor(read, mode.spreadSpeed(), gpusPerNode);
    Optional<Elasticity> rules =
        mode.rules(known, scalingCost, minFraction, leastGain)
            .map(builder -> isGiven(spec, COOL_DOWN) ? builder.coolDown(coolDown) : builder)
            .map(builder -> builder.pendingLimit(pendingLimit).build());
    List<Duration> levels =
        thresholds.stream().map(each -> Duration.ofNanos((long) (each * NANOS))).toList();
    return new ElasticRuns(
        new ElasticInput(trace.toString(), ElasticTrace.read(trace, read)),
        new CurveSpeed(read, mode.spreadSpeed()),
        ResizeTimes.named(scalingCost),
        rules,
        levels,
        measuredSizes,
        mode.hasDeadlines() ? Optional.of(mode::slack) : Optional.empty());
  }

  /** Adds the settings that a reader wants to see. */
  public void addTo(Map<String, String> settings) {
    settings.put("curves", String.valueOf(curves));
    settings.put("scaling-cost", scalingCost);
  }

  /** Reads the curves. */
  public ThroughputCurves curves() {
    return ThroughputCurves.read(Objects.requireNonNull(curves));
  }

  private static boolean isGiven(CommandSpec spec, String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }
}
