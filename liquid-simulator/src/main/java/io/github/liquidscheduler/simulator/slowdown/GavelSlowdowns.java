package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.json.gavel.GavelThroughputs;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Alone;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Gpus;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Job;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Pair;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The pairs of jobs on one GPU in Gavel's throughputs. One without throughput did not fit and is
 * left out.
 */
final class GavelSlowdowns {

  private final Map<JobOnGpus, Double> alone = new HashMap<>();

  private GavelSlowdowns(GavelThroughputs throughputs) {
    for (Alone each : throughputs.alone()) {
      alone.put(new JobOnGpus(each.gpus(), each.job()), each.throughput());
    }
  }

  static List<SlowdownRow> read(Path file) {
    try {
      GavelThroughputs throughputs = GavelThroughputs.read(file);
      List<SlowdownRow> rows = new GavelSlowdowns(throughputs).rows(throughputs.pairs());
      if (rows.isEmpty()) {
        throw new IllegalArgumentException(
            file + ": there must be pairs of jobs on one GPU, but there are none");
      }
      return rows;
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
    }
  }

  private List<SlowdownRow> rows(List<Pair> pairs) {
    List<SlowdownRow> rows = new ArrayList<>();
    for (Pair pair : pairs) {
      double isolated = throughput(pair.gpus(), pair.job());
      if (!pair.gpus().isSpread() && pair.throughput() > 0 && isolated > 0) {
        rows.add(row(pair, pair.throughput() / isolated));
      }
    }
    return rows;
  }

  private SlowdownRow row(Pair pair, double retained) {
    return new SlowdownRow(
        GpuModel.of(pair.gpus().model().toUpperCase(Locale.ROOT)),
        profile(pair.gpus(), pair.job()),
        profile(pair.gpus(), pair.coRunner()),
        Math.min(retained, InterferencePredictor.MAX_RETAINED_SPEED));
  }

  private ColocationProfile profile(Gpus gpus, Job job) {
    return new ColocationProfile(
        WorkloadName.parse(job.model()), throughput(gpus, job), Double.NaN, Double.NaN, Double.NaN);
  }

  private double throughput(Gpus gpus, Job job) {
    return alone.getOrDefault(new JobOnGpus(gpus, job), Double.NaN);
  }

  private record JobOnGpus(Gpus gpus, Job job) {}
}
