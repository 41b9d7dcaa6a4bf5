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

/** Options of a simulated scheduler that plans its waiting jobs together. */
final class BatchOptions {

  private static final String WINDOW = "window";
  private static final Duration USUAL_WINDOW = Duration.ofSeconds(15);
  private static final long USUAL_STEPS = 20_000;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "immediate: each job is placed as it comes (default); batch: jobs are planned"
              + " together.")
  private @Nullable String mode;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "For how long jobs are gathered for a plan (default: 15s).")
  private @Nullable Duration window;

  @Option(
      names = "--planner",
      paramLabel = "PLANNER",
      description = "Who plans: timefold, gga or greedy (default: timefold).")
  private @Nullable String planner;

  @Option(
      names = "--plan-steps",
      paramLabel = "N",
      description = "How many moves a planner looks at, at most (default: 20000).")
  private @Nullable Long steps;

  @Option(
      names = "--plan-delay",
      paramLabel = "TIME",
      converter = DurationArgument.class,
      description = "How long a plan takes to come (default: 0).")
  private @Nullable Duration delay;

  /** Complains of options that have no meaning in the mode chosen. */
  void check(CommandSpec spec, boolean isReference) {
    if (mode != null && !mode.equals("immediate") && !mode.equals("batch")) {
      throw new ParameterException(
          spec.commandLine(), "--mode must be immediate or batch, but was '" + mode + "'");
    }
    boolean any = Stream.of(window, planner, steps, delay).anyMatch(Objects::nonNull);
    if (any && !isBatch()) {
      throw new ParameterException(
          spec.commandLine(),
          "--window, --planner, --plan-steps and --plan-delay need --mode batch");
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
              .steps(Objects.requireNonNullElse(steps, USUAL_STEPS))
              .boundRounds(0)
              .build();
      simulation.planning(
          new PlanningLoop(
              BaselinePlanners.named(planner()),
              options,
              Objects.requireNonNullElse(delay, Duration.ZERO)));
    }
  }

  /** Adds what a replay has to know, and what readers want to. */
  void addTo(Map<String, String> settings) {
    if (isBatch()) {
      settings.put(WINDOW, window().toString());
      settings.put("planner", planner());
    }
  }

  /** Gives a scheduler the window that the settings of a journal name, if they name one. */
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
