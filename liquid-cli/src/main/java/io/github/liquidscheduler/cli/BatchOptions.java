package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.simulator.PlanningLoop;
import io.github.liquidscheduler.simulator.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a simulated scheduler in batch mode. */
final class BatchOptions {

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "immediate: each job is placed on arrival (default); batch: waiting jobs are planned"
              + " together.")
  private String mode = "immediate";

  @Option(
      names = "--window",
      paramLabel = "TIME",
      description = "Batch window: how long jobs are collected before a plan (default: 15s).")
  private Duration window = Duration.ofSeconds(15);

  @Option(
      names = "--bypass-limit",
      paramLabel = "JOBS",
      description =
          "Maximum number of jobs that may bypass a waiting job so that plans find better"
              + " co-runners, at least 0 (default: 0).")
  private int bypassLimit;

  @Option(
      names = "--planner",
      paramLabel = "PLANNER",
      completionCandidates = Algorithms.PlannerNames.class,
      description = "Batch planner: ${COMPLETION-CANDIDATES} (default: timefold).")
  private String planner = "timefold";

  @Option(
      names = "--max-moves",
      paramLabel = "MOVES",
      description = "Maximum number of moves evaluated per plan, at least 1 (default: 20000).")
  private long maxMoves = 20_000;

  @Option(
      names = "--plan-delay",
      paramLabel = "TIME",
      description = "Virtual time a plan takes (default: 0).")
  private Duration delay = Duration.ZERO;

  /** Refuses options that have no meaning in the chosen mode. */
  void check(CommandSpec spec) {
    OptionRules.refuseIf(
        spec,
        !mode.equals("immediate") && !isBatch(),
        "--mode must be immediate or batch, but was '" + mode + "'");
    OptionRules.refuseIf(
        spec,
        !isBatch() && OptionGroup.of(BatchOptions.class).except(List.of("--mode")).isGiven(spec),
        "--window, --bypass-limit, --planner, --max-moves and --plan-delay need --mode batch");
    OptionRules.refuseIf(
        spec, bypassLimit < 0, "--bypass-limit must not be negative, but was " + bypassLimit);
  }

  void apply(LiquidScheduler.Builder scheduler) {
    if (isBatch()) {
      scheduler.batch(BatchWindow.of(window).bypassLimit(bypassLimit));
    }
  }

  /** Sets the planner; {@code shared} makes a GPU-sharing planner from one without. */
  void apply(Simulation.Builder simulation, long seed, UnaryOperator<BatchPlanner> shared) {
    if (isBatch()) {
      PlanOptions options = PlanOptions.builder().seed(seed).steps(maxMoves).boundRounds(0).build();
      BatchPlanner plans = shared.apply(Algorithms.planner(planner));
      simulation.planning(new PlanningLoop(plans, options, delay));
    }
  }

  /** Adds the settings that a reader wants to see. */
  void addTo(Map<String, String> settings) {
    if (isBatch()) {
      settings.put("window", window.toString());
      settings.put("planner", planner);
      if (bypassLimit > 0) {
        settings.put("bypass limit", Integer.toString(bypassLimit));
      }
    }
  }

  boolean isBatch() {
    return mode.equals("batch");
  }
}
