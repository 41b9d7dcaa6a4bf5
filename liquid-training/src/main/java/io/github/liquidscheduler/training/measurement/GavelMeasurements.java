package io.github.liquidscheduler.training.measurement;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.json.gavel.GavelThroughputs;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Alone;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Gpus;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Job;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Pair;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The co-location measurements in Gavel's throughput file: jobs on one GPU, consolidated. A pair
 * without throughput did not fit and is left out.
 */
public final class GavelMeasurements {

  private static final Pattern WITH_BATCH = Pattern.compile("(.+) \\(batch size (\\d{1,9})\\)");

  private final Map<JobOnGpus, Double> alone = new HashMap<>();

  private GavelMeasurements(GavelThroughputs throughputs) {
    for (Alone each : throughputs.alone()) {
      alone.put(new JobOnGpus(each.gpus(), each.job()), each.throughput());
    }
  }

  /**
   * Returns the measurements in the file, both directions of each pair.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is no throughput table, or has no pair
   */
  public static List<Measurement> read(Path file) throws IOException {
    GavelThroughputs throughputs = GavelThroughputs.read(file);
    List<Measurement> measurements = new GavelMeasurements(throughputs).of(throughputs.pairs());
    if (measurements.isEmpty()) {
      throw new IllegalArgumentException(
          "there must be pairs of one-GPU jobs, but there are none in " + file);
    }
    return measurements;
  }

  private List<Measurement> of(List<Pair> pairs) {
    List<Measurement> measurements = new ArrayList<>();
    for (Pair pair : pairs) {
      double isolated = throughput(pair.gpus(), pair.job());
      if (!pair.gpus().isSpread() && pair.throughput() > 0 && isolated > 0) {
        measurements.add(measurement(pair, pair.throughput() / isolated));
      }
    }
    return measurements;
  }

  private Measurement measurement(Pair pair, double retained) {
    return new Measurement(
        GpuModel.of(pair.gpus().model().toUpperCase(Locale.ROOT)),
        profile(pair.gpus(), pair.job()),
        profile(pair.gpus(), pair.coRunner()),
        Math.min(retained, InterferencePredictor.MAX_RETAINED_SPEED));
  }

  private ColocationProfile profile(Gpus gpus, Job job) {
    double rate = throughput(gpus, job);
    return new ColocationProfile(workload(job).build(), rate, Double.NaN, Double.NaN, Double.NaN);
  }

  private double throughput(Gpus gpus, Job job) {
    return alone.getOrDefault(new JobOnGpus(gpus, job), Double.NaN);
  }

  /** Returns the workload that a name such as {@code ResNet-18 (batch size 16)} means. */
  public static Workload.Builder workload(Job job) {
    Matcher batch = WITH_BATCH.matcher(job.model());
    return batch.matches()
        ? Workload.builder(batch.group(1)).batchSize(Integer.parseInt(batch.group(2)))
        : Workload.builder(job.model());
  }

  private record JobOnGpus(Gpus gpus, Job job) {}
}
