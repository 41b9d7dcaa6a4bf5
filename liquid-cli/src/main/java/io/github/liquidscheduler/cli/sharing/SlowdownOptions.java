package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.cli.simulation.OptionGroup;
import io.github.liquidscheduler.cli.simulation.SchedulingOptions;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.slowdown.SharingMeter;
import io.github.liquidscheduler.simulator.slowdown.SharingReport;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a simulation whose jobs share GPUs, with slowdowns that were measured. */
public final class SlowdownOptions {

  private static final String PREDICTED = "predicted";
  private static final String MEASURED = "measured";

  private static final Duration REPORT = Duration.ofMinutes(2);

  @Option(
      names = "--slowdowns",
      paramLabel = "FILE",
      description =
          "Lets jobs of one GPU share it, two on each, and run at the speeds that were measured of"
              + " such pairs: CSV as of tools/profile_pairs.py (docs/simulation.md), or the pairs"
              + " in Gavel's JSON of throughputs. Jobs with other workloads share nothing.")
  private @Nullable Path file;

  @Option(
      names = "--colocate",
      paramLabel = "HOW",
      description =
          "Jobs that share GPUs if none are free: predicted (those that the shipped models,"
              + " corrected by progress reports, expect to lose little) or measured (the scheduler"
              + " knows the --slowdowns). A --placer whose name begins with share- decides itself"
              + " (default: predicted).")
  private @Nullable String how;

  @Option(
      names = "--guaranteed",
      paramLabel = "FRACTION",
      description =
          "Fraction of the jobs that may share which is guaranteed the floor, from 0 to 1;"
              + " the others are opportunistic (default: 0.25).")
  private double guaranteed = 0.25;

  @Option(
      names = "--floor",
      paramLabel = "FRACTION",
      description = "Guaranteed fraction of the speed alone, above 0 and at most 1 (default: 0.6).")
  private double floor = 0.6;

  private @Nullable MeasuredJobs jobs;
  private @Nullable SharingMeter meter;
  private @Nullable Colocation colocation;
  private @Nullable CompositePredictor shipped;

  /** Returns true if jobs may share GPUs. */
  public boolean isGiven() {
    return file != null;
  }

  /** Refuses options that have no meaning, or not beside others. */
  public void check(CommandSpec spec, SchedulingOptions scheduling, boolean isApart) {
    if (!isGiven()) {
      OptionGroup.of(SlowdownOptions.class)
          .refuse(spec, "--colocate, --guaranteed and --floor need --slowdowns");
      return;
    }
    OptionRules.refuseIf(
        spec,
        isApart,
        "--slowdowns is not for --elastic, --gpu-speeds, --journal or"
            + " the options of requests");
    checkHow(spec, scheduling);
    OptionRules.refuseIf(
        spec,
        !(guaranteed >= 0 && guaranteed <= 1) || !(floor > 0 && floor <= 1),
        "--guaranteed must be from 0 to 1, and --floor above 0 and at most 1, but they were %s and %s"
            .formatted(guaranteed, floor));
  }

  private void checkHow(CommandSpec spec, SchedulingOptions scheduling) {
    OptionRules.refuseIf(
        spec,
        how != null && !how.equals(PREDICTED) && !how.equals(MEASURED),
        "--colocate must be predicted or measured, but was '" + how + "'");
    OptionRules.refuseIf(
        spec,
        how != null && oblivious(scheduling).isPresent(),
        "--placer " + scheduling.placer() + " decides who shares, so --colocate must be left out");
  }

  /**
   * Finds the jobs of a trace in the table, and prints how many are not there to the standard
   * error.
   *
   * @param alone how fast jobs are that have their GPUs to themselves
   * @return the jobs, all of them
   * @throws IllegalArgumentException if the file is no such table, or no job is in it
   */
  public TraceSource find(
      CommandSpec spec, TraceSource read, ClusterTopology cluster, GroundTruth alone) {
    if (file == null) {
      return read;
    }
    Trace trace = read.held();
    jobs = MeasuredJobs.of(trace, SlowdownTable.read(file), cluster, alone);
    unmeasured()
        .ifPresent(text -> spec.commandLine().getErr().printf("%s: %s%n", trace.source(), text));
    spec.commandLine().getErr().flush();
    return jobs.trace();
  }

  /** Refuses a trace that does not tell what its jobs train. */
  public void checkFormat(CommandSpec spec, String name) {
    if (isGiven() && !TraceFormat.named(name).tellsWorkloads()) {
      String others =
          Arrays.stream(TraceFormat.values())
              .filter(TraceFormat::tellsWorkloads)
              .map(TraceFormat::formatName)
              .collect(Collectors.joining(", "));
      throw new ParameterException(
          spec.commandLine(),
          "--slowdowns needs a trace that tells what jobs train (%s), but --format %s does not"
              .formatted(others, name));
    }
  }

  private Optional<String> unmeasured() {
    MeasuredJobs found = found();
    return found.unknown().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%d of %s have workloads that %s does not have, and get GPUs of their own; the first is %s"
                .formatted(
                    found.unknown().size(),
                    Count.of(found.trace().size(), "job"),
                    found.table().source(),
                    found.unknown().getFirst()));
  }

  private MeasuredJobs found() {
    return Objects.requireNonNull(jobs, "jobs that were looked for");
  }

  /** Sets the placer of exclusive and co-located jobs. */
  public void apply(LiquidScheduler.Builder scheduler, SchedulingOptions scheduling, long seed) {
    SharingRules rules = new SharingRules(found());
    Optional<ColocationPolicy> oblivious = oblivious(scheduling);
    if (oblivious.isPresent()) {
      colocation = rules.oblivious(oblivious.get()).build();
      scheduler.placer(Placers.colocating(colocation));
    } else {
      colocation = rules.predicted(predictor(rules)).base(scheduling.newPlacer(seed)).build();
      scheduler.colocation(colocation);
    }
  }

  private InterferencePredictor predictor(SharingRules rules) {
    if (isOracle()) {
      return rules.oracle();
    }
    shipped = CompositePredictor.shipped();
    return shipped;
  }

  private static Optional<ColocationPolicy> oblivious(SchedulingOptions scheduling) {
    return Algorithms.colocationPolicy(scheduling.placer());
  }

  private boolean isOracle() {
    return MEASURED.equals(how);
  }

  /** Returns a planner that lets jobs share as the scheduler does. */
  public BatchPlanner planner(BatchPlanner alone) {
    return colocation == null ? alone : ColocationPlanner.of(alone, colocation);
  }

  /**
   * Sets the speeds of co-located jobs, and meters them. They report progress to a scheduler that
   * predicts or plans: reports make it plan again.
   */
  public void apply(
      Simulation.Builder simulation, SchedulingOptions scheduling, boolean plans, Instant start) {
    meter = new SharingMeter(found(), start);
    SharingClasses classes = new SharingClasses(found(), guaranteed, floor);
    simulation.speed(found().truth()).sharing(classes::of).listener(meter);
    if (oblivious(scheduling).isEmpty() && (plans || !isOracle())) {
      simulation.reportEvery(REPORT);
    }
  }

  /** Returns the sharing report, or empty if no job may share. */
  public Optional<SharingReport> report() {
    return Optional.ofNullable(meter).map(SharingMeter::report);
  }

  /** Releases the models, if any were needed. */
  public void close() {
    if (shipped != null) {
      shipped.close();
    }
  }

  /** Adds the options to the settings of a run. */
  public void addTo(Map<String, String> settings, SchedulingOptions scheduling) {
    if (file == null) {
      return;
    }
    settings.put("slowdowns", file.toString());
    unmeasured().ifPresent(text -> settings.put("unmeasured", text));
    if (oblivious(scheduling).isEmpty()) {
      settings.put("colocate", isOracle() ? MEASURED : PREDICTED);
    }
    settings.put("guaranteed", Double.toString(guaranteed));
    settings.put("floor", Double.toString(floor));
  }
}
