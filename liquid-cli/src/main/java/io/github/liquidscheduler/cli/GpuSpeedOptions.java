package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.estimator.duration.ObservedSpeeds;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.simulator.truth.GpuSpeedReader;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.KnownSpeeds;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import io.github.liquidscheduler.simulator.truth.UnorderedModels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The scheduler's knowledge of speeds by GPU model. */
final class GpuSpeedOptions {

  private static final String NONE = "none";
  private static final String UNORDERED = "unordered";
  private static final String KNOWN = "known";

  /** Far more than by how much jobs change on a GPU model: speeds are never forgotten. */
  private static final double DRIFT = 10;

  @Option(
      names = "--gpu-speeds",
      paramLabel = "HOW",
      description =
          "What the scheduler knows of them: none (each job names its GPU models in the order of"
              + " its speed), unordered (in a drawn order), known (the --throughputs), a CSV file"
              + " (workload,gpu_model,speed), or an ONNX file of throughput models (default:"
              + " none).")
  private String how = NONE;

  @Option(
      names = "--move-pause",
      paramLabel = "TIME",
      description =
          "Has jobs move to faster GPUs while they run, or trade places, if that saves ten"
              + " times this time, for which a job is taken to stand still (default: none moves)."
              + " What it really costs is --start-overhead and --resume-overhead.")
  private @Nullable Duration pause;

  boolean isGiven() {
    return !how.equals(NONE);
  }

  private boolean predicts() {
    return isGiven() && !how.equals(UNORDERED);
  }

  /** Returns the ground truth as the scheduler gets to see it. */
  GroundTruth seen(GroundTruth truth, long seed) {
    return how.equals(UNORDERED) ? new UnorderedModels(truth, seed) : truth;
  }

  void check(CommandSpec spec, boolean isApart) {
    OptionRules.refuseIf(spec, isGiven() && isApart, "--gpu-speeds is not for --elastic");
    OptionRules.refuseIf(
        spec,
        pause != null && !predicts(),
        "--move-pause needs speeds, but --gpu-speeds was " + how);
  }

  /**
   * Sets a scheduler's speeds.
   *
   * @throws IllegalArgumentException if the file is missing or malformed, or speeds are to be known
   *     without throughputs
   */
  void apply(LiquidScheduler.Builder scheduler, GroundTruth truth) {
    if (predicts()) {
      Performance rules = Performance.by(predictor(truth));
      scheduler.performance(pause == null ? rules : rules.moving(pause));
    }
  }

  private PerformancePredictor predictor(GroundTruth truth) {
    if (how.equals(KNOWN)) {
      if (truth instanceof ThroughputTable table) {
        return new KnownSpeeds(table);
      }
      throw new IllegalArgumentException("--gpu-speeds known needs --throughputs");
    }
    Path file = Path.of(how);
    return how.endsWith(".onnx") ? model(file) : GpuSpeedReader.read(file);
  }

  private static PerformancePredictor model(Path file) {
    try {
      return ObservedSpeeds.fitted(file, DRIFT);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  void addTo(Map<String, String> settings) {
    if (isGiven()) {
      settings.put("gpu-speeds", how);
    }
    if (pause != null) {
      settings.put("move-pause", pause.toString());
    }
  }
}
