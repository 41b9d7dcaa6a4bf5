package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.json.gavel.GavelThroughputs;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Job;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Pair;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Shared;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The pairs of jobs on one GPU in Gavel's throughputs that fit. */
final class GavelSlowdowns {

  private GavelSlowdowns() {}

  static List<SlowdownRow> read(Path file) {
    try {
      List<SlowdownRow> rows =
          GavelThroughputs.read(file).shared().stream().map(GavelSlowdowns::row).toList();
      if (rows.isEmpty()) {
        throw new IllegalArgumentException(
            file + ": there must be pairs of jobs on one GPU, but there are none");
      }
      return rows;
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
    }
  }

  private static SlowdownRow row(Shared shared) {
    Pair pair = shared.pair();
    return new SlowdownRow(
        GpuModel.of(pair.gpus().model().toUpperCase(Locale.ROOT)),
        profile(pair.job(), shared.rate()),
        profile(pair.coRunner(), shared.coRunnerRate()),
        Math.min(shared.retained(), InterferencePredictor.MAX_RETAINED_SPEED));
  }

  private static ColocationProfile profile(Job job, double rate) {
    return new ColocationProfile(
        WorkloadName.parse(job.model()), rate, Double.NaN, Double.NaN, Double.NaN);
  }
}
