package io.github.liquidscheduler.cli.simulation;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of backfill: reservations and the jobs behind them. */
public final class BackfillOptions {

  private static final String NONE = "none";

  @Option(
      names = "--backfill",
      paramLabel = "MODE",
      description =
          "none; easy: the first job that does not fit holds a reservation, or the first ones"
              + " with --reservations; conservative: every waiting job holds one. Others start"
              + " where they are in the way of none (default: none).")
  private String mode = NONE;

  @Option(
      names = "--reservations",
      paramLabel = "JOBS",
      description =
          "With --backfill easy: number of waiting jobs that hold reservations, at least 1"
              + " (default: 1).")
  private @Nullable Integer reservations;

  @Option(
      names = "--reserve-for",
      paramLabel = "GPUS",
      description =
          "Least GPUs of a job that may hold a reservation, at least 0 (default: 0, all jobs"
              + " may).")
  private int leastGpus;

  @Option(
      names = "--assumed-run-time",
      paramLabel = "TIME",
      description = "Run time of jobs for which none is known, above 0 (default: 1d).")
  private @Nullable Duration assumed;

  @Option(
      names = "--hold-after",
      paramLabel = "TIME",
      description =
          "Wait after which a job that may hold a reservation comes first, and free GPUs are"
              + " reserved for it (default: never).")
  private @Nullable Duration holdAfter;

  @Option(
      names = "--pass-hold",
      paramLabel = "GPUS",
      description =
          "Most GPUs of a job that starts there nevertheless, at least 0 (default:"
              + " ${DEFAULT-VALUE}).")
  private int passing;

  /** Returns true if jobs hold reservations. */
  public boolean isGiven() {
    return !mode.equals(NONE);
  }

  /** Refuses options that do not go together. */
  public void check(CommandSpec spec, boolean isBatch) {
    OptionRules.refuseIf(
        spec,
        !mode.equals(NONE) && !mode.equals("easy") && !mode.equals("conservative"),
        "--backfill must be none, easy or conservative, but was '" + mode + "'");
    OptionRules.refuseIf(spec, isGiven() && isBatch, "--backfill is not for --mode batch yet");
    OptionRules.refuseIf(
        spec, !isGiven() && assumed != null, "--assumed-run-time is for --backfill");
    OptionRules.refuseIf(spec, !isGiven() && holdAfter != null, "--hold-after is for --backfill");
    OptionRules.refuseIf(
        spec,
        passing < 0 || (passing > 0 && holdAfter == null),
        "--pass-hold must be at least 0, and is for --hold-after, but was " + passing);
    OptionRules.refuseIf(
        spec,
        !mode.equals("easy") && reservations != null,
        "--reservations is for --backfill easy");
    OptionRules.refuseIf(
        spec,
        isGiven() && reservations != null && reservations < 1,
        "--reservations must be at least 1, but was " + reservations);
  }

  /** Lets a scheduler backfill, if it shall. */
  public void apply(LiquidScheduler.Builder scheduler) {
    if (isGiven()) {
      scheduler.backfill(rules());
    }
  }

  private Backfill rules() {
    Backfill all =
        mode.equals("conservative")
            ? Backfill.conservative()
            : Backfill.reserving(reservations == null ? 1 : reservations);
    Backfill sized = all.forJobsOf(leastGpus);
    Backfill rules = holdAfter == null ? sized : sized.holdingAfter(holdAfter, passing);
    return Optional.ofNullable(assumed).map(rules::assuming).orElse(rules);
  }

  /** Adds the options to the settings of a run. */
  public void addTo(Map<String, String> settings) {
    if (isGiven()) {
      settings.put("backfill", mode);
    }
    if (isGiven() && reservations != null) {
      settings.put("reservations", reservations.toString());
    }
    if (isGiven() && holdAfter != null) {
      settings.put("hold after", holdAfter.toString());
      settings.put("pass hold", Integer.toString(passing));
    }
  }
}
