package io.github.liquidscheduler.training.measurement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the co-locations out of Gavel's throughput file (Narayanan et al., OSDI 2020): steps per
 * second of jobs alone and in pairs, under keys that are printed Python tuples such as {@code
 * ('ResNet-50 (batch size 64)', 1)}. Only one-GPU jobs were measured in pairs; a pair that reached
 * nothing did not fit and is left out, and so are the tables of spread-out workers.
 */
public final class GavelMeasurements {
  private static final Pattern KEY =
      Pattern.compile(
          "\\('(?<family>[^'(]+?)(?: \\(batch size (?<batch>\\d+)\\))?', (?<gpus>\\d+)\\)");
  private static final String ALONE = "null";

  private GavelMeasurements() {}

  /**
   * Returns the measurements in the file, both directions of each pair.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is no JSON, a key no printed tuple or a value no number,
   *     or if there is no pair
   */
  public static List<Measurement> read(Path file) throws IOException {
    JsonNode root = json(file);
    List<Measurement> measurements = new ArrayList<>();
    for (Map.Entry<String, JsonNode> table : root.properties()) {
      if (!table.getKey().endsWith("_unconsolidated")) {
        new Table(file, table.getKey(), table.getValue()).addTo(measurements);
      }
    }
    if (measurements.isEmpty()) {
      throw new IllegalArgumentException(
          "there must be pairs of one-GPU jobs, but there are none in " + file);
    }
    return measurements;
  }

  private static JsonNode json(Path file) throws IOException {
    try {
      return new ObjectMapper().readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "throughputs must be JSON, but: %s, in %s line %d"
              .formatted(e.getOriginalMessage(), file, e.getLocation().getLineNr()),
          e);
    }
  }

  /** The table of one GPU model. */
  private record Table(Path file, String name, JsonNode jobs) {

    void addTo(List<Measurement> measurements) {
      GpuModel gpu = GpuModel.of(name.toUpperCase(Locale.ROOT));
      for (Map.Entry<String, JsonNode> job : jobs.properties()) {
        Optional<Workload> victim = workload(job.getKey());
        if (victim.isPresent()) {
          ColocationProfile profile = profile(victim.get(), job.getKey());
          job.getValue()
              .properties()
              .forEach(pair -> pair(gpu, profile, pair).ifPresent(measurements::add));
        }
      }
    }

    private Optional<Measurement> pair(
        GpuModel gpu, ColocationProfile victim, Map.Entry<String, JsonNode> pair) {
      if (pair.getKey().equals(ALONE)) {
        return Optional.empty();
      }
      Optional<Workload> other = workload(pair.getKey());
      double rate = pair.getValue().path(0).asDouble(Double.NaN);
      if (Double.isNaN(rate)) {
        throw malformed(pair.getKey(), "must hold two numbers");
      }
      if (other.isEmpty() || rate == 0 || !(victim.isolatedRate() > 0)) {
        return Optional.empty();
      }
      double retained =
          Math.min(rate / victim.isolatedRate(), InterferencePredictor.MAX_RETAINED_SPEED);
      return Optional.of(
          new Measurement(gpu, victim, profile(other.get(), pair.getKey()), retained));
    }

    private ColocationProfile profile(Workload workload, String key) {
      double rate = jobs.path(key).path(ALONE).asDouble(Double.NaN);
      return new ColocationProfile(workload, rate, Double.NaN, Double.NaN, Double.NaN);
    }

    private Optional<Workload> workload(String key) {
      Matcher matcher = KEY.matcher(key);
      if (!matcher.matches()) {
        throw malformed(key, "is no printed tuple of a job and its number of GPUs");
      }
      if (!matcher.group("gpus").equals("1")) {
        return Optional.empty();
      }
      Workload.Builder workload = Workload.builder(matcher.group("family"));
      if (matcher.group("batch") != null) {
        workload.batchSize(Integer.parseInt(matcher.group("batch")));
      }
      return Optional.of(workload.build());
    }

    private IllegalArgumentException malformed(String key, String why) {
      return new IllegalArgumentException(
          "the entry %s of %s %s, in %s".formatted(key, name, why, file));
    }
  }
}
