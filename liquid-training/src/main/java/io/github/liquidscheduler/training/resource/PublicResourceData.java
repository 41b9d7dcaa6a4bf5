package io.github.liquidscheduler.training.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.estimator.resource.ResourceSample;
import io.github.liquidscheduler.estimator.resource.ResourceTarget;
import io.github.liquidscheduler.estimator.resource.TaskProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Converts public measurements, in their owners' formats, to samples. What a data set does not say
 * stays unknown; what follows from its published scripts (the optimiser, the data set, how the
 * allocator behaves) is stated as a hyper-parameter. Times are per stated number of iterations or
 * epochs, because few of them come from whole jobs.
 */
public final class PublicResourceData {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ITERATIONS = 1000;

  /** A key such as {@code ('ResNet-18 (batch size 16)', 1)}. */
  private static final Pattern GAVEL_KEY =
      Pattern.compile("\\('([^'(]+?)(?: \\(batch size (\\d+)\\))?', (\\d+)\\)");

  /** What the training scripts of MISO read. */
  private static final Map<String, String> MISO_DATA =
      Map.of(
          "resnet", "cifar10",
          "mobilenet", "cifar10",
          "bert", "imdb",
          "cyclegan", "horse2zebra",
          "embedding", "newsgroups",
          "gnn", "bbbp",
          "deepspeech2", "ljspeech",
          "transformer", "forda");

  private final Path folder;
  private final List<ResourceSample> samples = new ArrayList<>();

  private PublicResourceData(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns the samples of the data sets that lie in {@code folder}, each in a folder of its name:
   * salus, miso, zeus, muri, gavel, elasticflow, sailor. Those that are missing are left out.
   *
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if all are missing
   */
  public static List<ResourceSample> read(Path folder) throws IOException {
    PublicResourceData data = new PublicResourceData(folder);
    data.salus();
    data.miso();
    data.zeus();
    data.muri();
    data.gavel();
    data.elasticflow();
    data.sailor();
    if (data.samples.isEmpty()) {
      throw new IllegalArgumentException(
          "at least one of the folders salus, miso, zeus, muri, gavel, elasticflow and sailor must"
              + " be there with its data, but none is, in "
              + folder);
    }
    return List.copyOf(data.samples);
  }

  private void salus() throws IOException {
    for (CSVRecord row : rows("salus/workloads.csv", false)) {
      List<String> name = List.of(row.get(0).split("_", -1));
      TaskProfile task =
          TaskProfile.builder(name.get(0))
              .source("salus")
              .framework("tensorflow")
              .dataset("imagenet")
              .batch(Integer.parseInt(name.get(1)))
              .hyperparameters(
                  Map.of("allocator", "peak", "optimizer", "sgd", "iterations", row.get(3)))
              .build();
      samples.add(
          ResourceSample.builder(task)
              .value(ResourceTarget.GPU_MEMORY, 1e6 * Double.parseDouble(row.get(2)))
              .value(ResourceTarget.TOTAL, Double.parseDouble(row.get(1)))
              .build());
    }
  }

  private void miso() throws IOException {
    for (CSVRecord row : rows("miso/util_collection.csv", true)) {
      String family = row.get("model");
      String dataset = MISO_DATA.get(family);
      if (dataset == null) {
        // The dummy that only shows what an idle process takes.
        continue;
      }
      String optimizer = family.equals("embedding") ? "rmsprop" : "adam";
      TaskProfile task =
          TaskProfile.builder(family)
              .source("miso")
              .framework("tensorflow")
              .dataset(dataset)
              .batch(Integer.parseInt(row.get("batch_size")))
              .gpu("A100")
              .hyperparameters(Map.of("allocator", "growth", "optimizer", optimizer))
              .build();
      samples.add(
          ResourceSample.builder(task)
              .value(
                  ResourceTarget.GPU_MEMORY, (1 << 20) * Double.parseDouble(row.get("memory_mib")))
              .value(
                  ResourceTarget.GPU_UTILIZATION, Double.parseDouble(row.get("util_sm_pct")) / 100)
              .build());
    }
  }

  private void zeus() throws IOException {
    for (String gpu : List.of("A40", "P100", "RTX6000", "V100")) {
      String file = "zeus/summary_power_" + gpu.toLowerCase(Locale.ROOT) + ".csv";
      for (CSVRecord row : rows(file, true)) {
        TaskProfile task =
            TaskProfile.builder(row.get("network"))
                .source("zeus")
                .framework("pytorch")
                .dataset(row.get("dataset"))
                .batch(Integer.parseInt(row.get("batch_size")))
                .gpu(gpu)
                .hyperparameters(
                    Map.of(
                        "optimizer",
                        row.get("optimizer").toLowerCase(Locale.ROOT),
                        "power_limit",
                        row.get("power_limit"),
                        "epochs",
                        "1"))
                .build();
        samples.add(total(task, Double.parseDouble(row.get("time_per_epoch"))));
      }
    }
  }

  private void muri() throws IOException {
    Map<String, ResourceSample> profiles = new LinkedHashMap<>();
    for (int type = 1; type <= 4; type++) {
      for (CSVRecord row : rows("muri/simulator/trace-data/job_type_" + type + ".csv", true)) {
        double seconds = Double.parseDouble(row.get("iteration_time")) / 1000;
        double busy = Double.parseDouble(row.get("resource_time_1")) / 1000;
        TaskProfile task =
            TaskProfile.builder(row.get("model_name"))
                .source("muri")
                .batch(Integer.parseInt(row.get("batch_size")))
                .tasks(Integer.parseInt(row.get("num_gpu")), 0)
                .hyperparameters(Map.of("iterations", "1"))
                .build();
        profiles.putIfAbsent(
            task.signature() + seconds,
            ResourceSample.builder(task)
                .value(ResourceTarget.GPU_UTILIZATION, Math.min(1, busy / seconds))
                .value(ResourceTarget.TOTAL, seconds)
                .build());
      }
    }
    samples.addAll(profiles.values());
  }

  private void gavel() throws IOException {
    Path file = folder.resolve("gavel/simulation_throughputs.json");
    if (!Files.exists(file)) {
      return;
    }
    JsonNode throughputs = JSON.readTree(file.toFile());
    for (String gpu : List.of("k80", "p100", "v100")) {
      for (Map.Entry<String, JsonNode> entry : throughputs.path(gpu).properties()) {
        Matcher key = GAVEL_KEY.matcher(entry.getKey());
        double rate = entry.getValue().path("null").asDouble();
        if (key.matches() && rate > 0) {
          TaskProfile.Builder task =
              TaskProfile.builder(key.group(1))
                  .source("gavel")
                  .framework("pytorch")
                  .gpu(gpu.toUpperCase(Locale.ROOT))
                  .tasks(Integer.parseInt(key.group(3)), 0)
                  .hyperparameters(iterations());
          if (key.group(2) != null) {
            task.batch(Integer.parseInt(key.group(2)));
          }
          samples.add(total(task.build(), ITERATIONS / rate));
        }
      }
    }
  }

  private void elasticflow() throws IOException {
    for (String gpu : List.of("A100", "T4")) {
      Path models = folder.resolve("elasticflow/throughputs_" + gpu);
      for (Path file : files(models)) {
        String family = file.getFileName().toString().replace(".csv", "");
        for (CSVRecord row : rows(folder.relativize(file).toString(), true)) {
          for (int gpus = 1; gpus <= 64; gpus *= 2) {
            elasticflow(family, gpu, row, gpus);
          }
        }
      }
    }
  }

  private void elasticflow(String family, String gpu, CSVRecord row, int gpus) {
    String column = Integer.toString(gpus);
    if (!row.isMapped(column) || TaskProfile.numeric(row.get(column)).isEmpty()) {
      return;
    }
    int batch = Integer.parseInt(row.get("global_batch_size")) / gpus;
    double rate = Double.parseDouble(row.get(column));
    if (batch > 0 && rate > 0) {
      TaskProfile task =
          TaskProfile.builder(family)
              .source("elasticflow")
              .batch(batch)
              .gpu(gpu)
              .tasks(gpus, 0)
              .hyperparameters(iterations())
              .build();
      samples.add(total(task, ITERATIONS / rate));
    }
  }

  private void sailor() throws IOException {
    for (Path model : files(folder.resolve("sailor/profiles"))) {
      for (Path gpu : files(model)) {
        JsonNode profile = JSON.readTree(gpu.resolve("profile.json").toFile());
        for (Map.Entry<String, JsonNode> batch : profile.properties()) {
          for (Map.Entry<String, JsonNode> parallel : batch.getValue().properties()) {
            TaskProfile task =
                TaskProfile.builder(model.getFileName().toString())
                    .source("sailor")
                    .framework("pytorch")
                    .batch(Integer.parseInt(batch.getKey()))
                    .gpu(gpu.getFileName().toString())
                    .gpusPerTask(Integer.parseInt(parallel.getKey()))
                    .hyperparameters(Map.of("iterations", "1"))
                    .build();
            samples.add(total(task, layers(parallel.getValue())));
          }
        }
      }
    }
  }

  /** The time of one iteration over all layers: forward, backward and update. */
  private static double layers(JsonNode layers) {
    double seconds = 0;
    for (JsonNode layer : layers) {
      for (JsonNode part : layer) {
        seconds += part.asDouble();
      }
    }
    return seconds;
  }

  private static ResourceSample total(TaskProfile task, double seconds) {
    return ResourceSample.builder(task).value(ResourceTarget.TOTAL, seconds).build();
  }

  private static Map<String, String> iterations() {
    return new TreeMap<>(Map.of("iterations", Integer.toString(ITERATIONS)));
  }

  private static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
        stream.forEach(files::add);
      }
    }
    files.sort(null);
    return files;
  }

  private List<CSVRecord> rows(String name, boolean hasHeader) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      return List.of();
    }
    CSVFormat.Builder format = CSVFormat.DEFAULT.builder().setTrim(true);
    if (hasHeader) {
      format.setHeader().setSkipHeaderRecord(true);
    }
    try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, format.get())) {
      return parser.getRecords();
    }
  }
}
