package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.comparison.RunFigures;
import io.github.liquidscheduler.simulator.comparison.TraceResampling;
import io.github.liquidscheduler.simulator.report.RunRecorder;
import io.github.liquidscheduler.simulator.trace.Trace;
import java.io.PrintWriter;
import java.util.OptionalInt;

/** A setting whose files were read, and how traces are drawn from its own. */
record LoadedSetting(SettingOptions options, Trace jobs, TraceResampling resampling) {

  /** Reads the files of a setting; what is left out of its trace is told to {@code errors}. */
  static LoadedSetting of(SweepSetting setting, OptionalInt block, PrintWriter errors) {
    SettingOptions options = SettingOptions.of(setting, errors);
    Trace jobs =
        options.conditions().measured(options.trace().open(), options.cluster().get()).held();
    TraceResampling resampling =
        block.isPresent()
            ? new TraceResampling(block.getAsInt())
            : TraceResampling.inRootBlocks(jobs);
    return new LoadedSetting(options, jobs, resampling);
  }

  ClusterTopology cluster() {
    return options.cluster().get();
  }

  /** Runs a cell of this setting, as {@code liquid compare} runs it. */
  RunFigures run(SweepCell cell) {
    return RunFigures.of(simulation(cell).build().run());
  }

  /** Runs a cell on the trace itself and records what a report shows. */
  SimulationResult run(SweepCell cell, RunRecorder recorder) {
    return simulation(cell).listener(recorder).build().run();
  }

  private Simulation.Builder simulation(SweepCell cell) {
    long base = options.conditions().seed();
    long seed = base + cell.draw();
    Trace drawn = resampling.draw(jobs, cell.draw(), base);
    Simulation.Builder simulation =
        Simulation.builder(drawn, cell.choice().scheduler(cluster(), seed));
    options.conditions().apply(simulation, cluster(), seed);
    return simulation;
  }
}
