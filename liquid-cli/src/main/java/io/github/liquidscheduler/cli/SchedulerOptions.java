package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.cluster.ClusterOption;
import io.github.liquidscheduler.cli.sharing.SlowdownOptions;
import io.github.liquidscheduler.cli.simulation.BackfillOptions;
import io.github.liquidscheduler.cli.simulation.SchedulingOptions;
import io.github.liquidscheduler.cli.simulation.SimulateConditions;
import io.github.liquidscheduler.cli.storage.StorageOptions;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The options of a simulated scheduler: its cluster, how it decides, and its conditions. */
final class SchedulerOptions {

  /** A trace has no id twice, so that those of jobs that are over need not be refused. */
  private static final int ENDED_REMEMBERED = 1000;

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Mixin private final SchedulingOptions scheduling = new SchedulingOptions("fifo");

  @ArgGroup(validate = false, heading = "%nSpeeds on several GPU models (not with --elastic):%n")
  private final GpuSpeedOptions gpuSpeeds = new GpuSpeedOptions();

  @ArgGroup(validate = false, heading = "%nBackfill:%n")
  private final BackfillOptions backfill = new BackfillOptions();

  @ArgGroup(validate = false, heading = "%nShared GPUs (not with --elastic):%n")
  private final SlowdownOptions slowdowns = new SlowdownOptions();

  @ArgGroup(validate = false, heading = "%nBatch planning:%n")
  private final BatchOptions batch = new BatchOptions();

  @ArgGroup(validate = false, heading = "%nReading and prefetching:%n")
  private final StorageOptions storage = new StorageOptions();

  @ArgGroup(validate = false, heading = "%nConditions:%n")
  private final SimulateConditions conditions = new SimulateConditions();

  ClusterTopology cluster() {
    return storage.withDisks(cluster.get());
  }

  SchedulingOptions scheduling() {
    return scheduling;
  }

  SlowdownOptions slowdowns() {
    return slowdowns;
  }

  BatchOptions batch() {
    return batch;
  }

  StorageOptions storage() {
    return storage;
  }

  SimulateConditions conditions() {
    return conditions;
  }

  /**
   * Refuses options that have no meaning beside others: for elastic jobs, or where jobs share GPUs
   * because of their requests.
   */
  void check(CommandSpec spec, boolean isElastic, boolean sharesByRequest) {
    batch.check(spec);
    gpuSpeeds.check(spec, isElastic);
    backfill.check(spec, batch.isBatch());
    slowdowns.check(spec, scheduling, isElastic || sharesByRequest || gpuSpeeds.isGiven());
  }

  /** Returns a scheduler in the mode that was chosen. */
  LiquidScheduler scheduler(String policy) {
    LiquidScheduler.Builder options = builder(policy);
    if (slowdowns.isGiven()) {
      slowdowns.apply(options, scheduling, conditions.seed());
    } else {
      options.placer(scheduling.newPlacer(conditions.seed()));
    }
    batch.apply(options);
    return options.build();
  }

  /** Returns a scheduler that places each job as it comes, alone on its GPUs. */
  LiquidScheduler.Builder immediate(String policy) {
    return builder(policy).placer(scheduling.newPlacer(conditions.seed()));
  }

  private LiquidScheduler.Builder builder(String policy) {
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(cluster())
            .policy(Policies.named(policy))
            .completedJobHistory(ENDED_REMEMBERED);
    gpuSpeeds.apply(options, conditions.speed());
    backfill.apply(options);
    storage.apply(options, cluster(), conditions.startOverhead());
    return options;
  }

  /** Returns a simulation under all conditions, whose jobs share GPUs if they may. */
  Simulation.Builder simulation(TraceSource jobs, LiquidScheduler scheduler) {
    Simulation.Builder simulation = Simulation.builder(jobs, scheduler).start(jobs.start());
    batch.apply(simulation, conditions.seed(), slowdowns::planner);
    conditions.apply(simulation, cluster.get(), conditions.seed());
    simulation.speed(gpuSpeeds.seen(conditions.speed(), conditions.seed()));
    storage.apply(simulation);
    if (slowdowns.isGiven()) {
      slowdowns.apply(simulation, scheduling, batch.isBatch(), jobs.start());
    }
    return simulation;
  }

  /** Returns a simulation of the jobs alone on their GPUs, in the same mode. */
  Simulation.Builder exclusive(TraceSource jobs, String policy) {
    LiquidScheduler.Builder options = immediate(policy);
    batch.apply(options);
    Simulation.Builder simulation = Simulation.builder(jobs, options.build());
    batch.apply(simulation, conditions.seed(), UnaryOperator.identity());
    conditions.apply(simulation, cluster.get(), conditions.seed());
    storage.apply(simulation);
    return simulation;
  }

  /** Adds the placement algorithm and the random seed. */
  void addPlacerTo(Map<String, String> settings) {
    settings.put("placer", scheduling.placer());
    settings.put("seed", Long.toString(conditions.seed()));
  }

  /** Adds the options to the settings of a run. */
  void addTo(Map<String, String> settings) {
    batch.addTo(settings);
    gpuSpeeds.addTo(settings);
    backfill.addTo(settings);
    slowdowns.addTo(settings, scheduling);
    storage.addTo(settings);
  }
}
