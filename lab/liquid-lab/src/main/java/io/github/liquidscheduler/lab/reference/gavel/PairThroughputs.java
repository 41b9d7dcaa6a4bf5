package io.github.liquidscheduler.lab.reference.gavel;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.util.List;

/**
 * How fast two jobs are that share GPUs.
 *
 * @param models the GPU models
 * @param speeds what was measured
 */
record PairThroughputs(List<GpuModel> models, ThroughputTable speeds) {

  /** Returns two jobs on the same GPUs. Where one is not fast enough for a round, none can run. */
  Combination pair(GavelJob first, GavelJob second) {
    double[] ofFirst = beside(first.trace(), second.trace());
    double[] ofSecond = beside(second.trace(), first.trace());
    return Combination.of(first, second, new double[][] {ofFirst, ofSecond});
  }

  private double[] beside(TraceJob job, TraceJob other) {
    return models.stream()
        .mapToDouble(model -> speeds.iterationsPerSecond(job, other, model))
        .map(speed -> speed * RoundLoop.ROUND < 1 ? 0 : speed)
        .toArray();
  }
}
