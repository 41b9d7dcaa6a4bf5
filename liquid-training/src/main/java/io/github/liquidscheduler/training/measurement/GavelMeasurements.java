package io.github.liquidscheduler.training.measurement;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.json.gavel.GavelThroughputs;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Job;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Pair;
import io.github.liquidscheduler.json.gavel.GavelThroughputs.Shared;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The co-location measurements in Gavel's throughput file: jobs on one GPU, consolidated. A pair
 * without throughput did not fit and is left out.
 */
public final class GavelMeasurements {

  private static final Pattern WITH_BATCH = Pattern.compile("(.+) \\(batch size (\\d{1,9})\\)");

  private GavelMeasurements() {}

  /**
   * Returns the measurements in the file, both directions of each pair.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is no throughput table, or has no pair
   */
  public static List<Measurement> read(Path file) throws IOException {
    List<Measurement> measurements =
        GavelThroughputs.read(file).shared().stream().map(GavelMeasurements::measurement).toList();
    if (measurements.isEmpty()) {
      throw new IllegalArgumentException(
          "there must be pairs of one-GPU jobs, but there are none in " + file);
    }
    return measurements;
  }

  private static Measurement measurement(Shared shared) {
    Pair pair = shared.pair();
    return new Measurement(
        GpuModel.of(pair.gpus().model().toUpperCase(Locale.ROOT)),
        profile(pair.job(), shared.rate()),
        profile(pair.coRunner(), shared.coRunnerRate()),
        Math.min(shared.retained(), InterferencePredictor.MAX_RETAINED_SPEED));
  }

  private static ColocationProfile profile(Job job, double rate) {
    return new ColocationProfile(workload(job).build(), rate, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Returns the workload that a name such as {@code ResNet-18 (batch size 16)} means. */
  public static Workload.Builder workload(Job job) {
    Matcher batch = WITH_BATCH.matcher(job.model());
    return batch.matches()
        ? Workload.builder(batch.group(1)).batchSize(Integer.parseInt(batch.group(2)))
        : Workload.builder(job.model());
  }
}
