package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.simulator.PlanningLoop;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.baseline.grouping.BaselinePlanners;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a simulated scheduler in batch mode. */
final class BatchOptions {

  private static final String WINDOW = "window";
  private static final Duration USUAL_WINDOW = Duration.ofSeconds(15);
  private static final long USUAL_MOVES = 20_000;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "immediate: each job is placed on arrival (default); batch: waiting jobs are planned"
              + " together.")
  private @Nullable String mode;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "Batch window: how long jobs are collected before a plan (default: 15s).")
  private @Nullable Duration window;

  @Option(
      names = "--planner",
      paramLabel = "PLANNER",
      description = "Batch planner: timefold, gga or greedy (default: timefold).")
  private @Nullable String planner;

  @Option(
      names = "--max-moves",
      paramLabel = "N",
      description = "Maximum number of moves evaluated per plan (default: 20000).")
  private @Nullable Long maxMoves;

  @Option(
      names = "--plan-delay",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "Virtual time a plan takes (default: 0).")
  private @Nullable Duration delay;

  /** Refuses options that have no meaning in the chosen mode. */
  void check(CommandSpec spec, boolean isReference) {
    if (mode != null && !mode.equals("immediate") && !mode.equals("batch")) {
      throw new ParameterException(
          spec.commandLine(), "--mode must be immediate or batch, but was '" + mode + "'");
    }
    boolean any = Stream.of(window, planner, maxMoves, delay).anyMatch(Objects::nonNull);
    if (any && !isBatch()) {
      throw new ParameterException(
          spec.commandLine(),
          "--window, --planner, --max-moves and --plan-delay need --mode batch");
    }
    if (isBatch() && isReference) {
      throw new ParameterException(spec.commandLine(), "a reference simulator has no --mode batch");
    }
  }

  void apply(LiquidScheduler.Builder scheduler) {
    if (isBatch()) {
      scheduler.batch(BatchWindow.of(window()));
    }
  }

  void apply(Simulation.Builder simulation, long seed) {
    if (isBatch()) {
      PlanOptions options =
          PlanOptions.builder()
              .seed(seed)
              .steps(Objects.requireNonNullElse(maxMoves, USUAL_MOVES))
              .boundRounds(0)
              .build();
      simulation.planning(
          new PlanningLoop(
              BaselinePlanners.named(planner()),
              options,
              Objects.requireNonNullElse(delay, Duration.ZERO)));
    }
  }

  /** Adds the settings that a replay needs and a reader wants to see. */
  void addTo(Map<String, String> settings) {
    if (isBatch()) {
      settings.put(WINDOW, window().toString());
      settings.put("planner", planner());
    }
  }

  /** Gives a scheduler the batch window of a journal's settings, if they name one. */
  static void restore(LiquidScheduler.Builder scheduler, Map<String, String> settings) {
    @Nullable String time = settings.get(WINDOW);
    if (time != null) {
      scheduler.batch(BatchWindow.of(Duration.parse(time)));
    }
  }

  private boolean isBatch() {
    return "batch".equals(mode);
  }

  private Duration window() {
    return Objects.requireNonNullElse(window, USUAL_WINDOW);
  }

  private String planner() {
    return Objects.requireNonNullElse(planner, "timefold");
  }
}
