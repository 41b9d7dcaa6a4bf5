package io.github.liquidscheduler.training.measurement;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads Gavel's early co-location measurements ({@code perf_prediction/measurements.csv} of its
 * branch packing_experiment): nine TensorFlow models on other machines than those of the throughput
 * file, as one block per GPU model with the throughput alone and an upper triangle of pairs. Its
 * throughputs are in images, thousands of words or samples per second; iterations are derived from
 * the benchmarks' default batch sizes. A pair that reached nothing did not fit and is left out.
 */
public final class EarlyGavelMeasurements {
  /** What a model of the file is, and the units of its throughput that one iteration makes. */
  private record Model(String family, int batch, double perIteration) {
    Workload workload() {
      return Workload.builder(family).batchSize(batch).build();
    }
  }

  private static final Map<String, Model> MODELS =
      Map.of(
          "AlexNet", new Model("AlexNet", 512, 512),
          "Inception v3", new Model("Inception v3", 32, 32),
          "VGG16", new Model("VGG16", 64, 64),
          "ResNet-50", new Model("ResNet-50 TensorFlow", 64, 64),
          "Language Model (large)", new Model("LM large", 20, 0.7),
          "Language Model (medium)", new Model("LM medium", 20, 0.7),
          "Language Model (small)", new Model("LM small", 20, 0.4),
          "NMT", new Model("NMT", 128, 5),
          "VAE", new Model("VAE", 100, 100));

  private static final int FIRST_PAIR = 2;

  private final Path file;
  private final List<Measurement> measurements = new ArrayList<>();

  private EarlyGavelMeasurements(Path file) {
    this.file = file;
  }

  /**
   * Returns the measurements in the file, both directions of each pair.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if a model is not known or a value no number
   */
  public static List<Measurement> read(Path file) throws IOException {
    EarlyGavelMeasurements reader = new EarlyGavelMeasurements(file);
    try (CSVParser parser = CSVParser.parse(Files.readString(file), CSVFormat.DEFAULT)) {
      List<CSVRecord> block = new ArrayList<>();
      for (CSVRecord line : parser) {
        boolean isTitle = !line.get(0).isEmpty() && line.stream().skip(1).allMatch(String::isEmpty);
        if (isTitle && !block.isEmpty()) {
          reader.addBlock(block);
          block.clear();
        }
        if (line.stream().anyMatch(field -> !field.isBlank())) {
          block.add(line);
        }
      }
      reader.addBlock(block);
    }
    return List.copyOf(reader.measurements);
  }

  /** Adds the block of a GPU model: its title, the names of the columns, and a line per model. */
  private void addBlock(List<CSVRecord> block) {
    if (block.size() < 2) {
      throw new IllegalArgumentException(
          "a block must have a title and the names of models, but one has not, in " + file);
    }
    GpuModel gpu = GpuModel.of(block.getFirst().get(0));
    CSVRecord names = block.get(1);
    Map<String, Double> alone = new LinkedHashMap<>();
    List<CSVRecord> lines = block.subList(2, block.size());
    lines.forEach(line -> alone.put(line.get(0), number(line, line.get(1))));
    for (CSVRecord line : lines) {
      for (int column = FIRST_PAIR; column < Math.min(line.size(), names.size()); column++) {
        if (!line.get(column).isBlank()) {
          addPair(gpu, alone, line, names.get(column), line.get(column));
        }
      }
    }
  }

  private void addPair(
      GpuModel gpu, Map<String, Double> alone, CSVRecord line, String other, String pair) {
    String[] rates = pair.split(",", -1);
    if (rates.length != 2) {
      throw malformed(line, "a pair must be two numbers, but was '" + pair + "'");
    }
    double[] both = {number(line, rates[0]), number(line, rates[1])};
    if (both[0] > 0 && both[1] > 0) {
      add(gpu, alone, line, line.get(0), other, both[0]).ifPresent(measurements::add);
      if (!other.equals(line.get(0))) {
        add(gpu, alone, line, other, line.get(0), both[1]).ifPresent(measurements::add);
      }
    }
  }

  private Optional<Measurement> add(
      GpuModel gpu,
      Map<String, Double> alone,
      CSVRecord line,
      String victim,
      String other,
      double rate) {
    double retained = Math.min(1, rate / alone.getOrDefault(victim, Double.NaN));
    return Double.isNaN(retained)
        ? Optional.empty()
        : Optional.of(
            new Measurement(
                gpu, profile(alone, line, victim), profile(alone, line, other), retained));
  }

  private ColocationProfile profile(Map<String, Double> alone, CSVRecord line, String name) {
    Model model = MODELS.get(name);
    if (model == null) {
      throw malformed(line, "no model '" + name + "' is known");
    }
    double rate = alone.getOrDefault(name, Double.NaN) / model.perIteration();
    return new ColocationProfile(model.workload(), rate, Double.NaN, Double.NaN, Double.NaN);
  }

  private double number(CSVRecord line, String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw malformed(line, "a throughput must be a number, but was '" + text + "'");
    }
  }

  private IllegalArgumentException malformed(CSVRecord line, String why) {
    return new IllegalArgumentException(
        "%s, in line %d of %s".formatted(why, line.getRecordNumber(), file));
  }
}
