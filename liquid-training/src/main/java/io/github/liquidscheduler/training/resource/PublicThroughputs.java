package io.github.liquidscheduler.training.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.workload.FiniteNumber;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.json.gavel.GavelThroughputs;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.table.CsvRow;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Converts public data sets that measured how fast models are trained. */
final class PublicThroughputs {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ITERATIONS = 1000;
  private static final int MOST_GPUS = 64;

  private final Path folder;
  private final List<ResourceSample> samples = new ArrayList<>();

  private PublicThroughputs(Path folder) {
    this.folder = folder;
  }

  /** Returns the samples of gavel, elasticflow and sailor, as far as they are there. */
  static List<ResourceSample> read(Path folder) throws IOException {
    PublicThroughputs data = new PublicThroughputs(folder);
    data.gavel();
    data.elasticflow();
    data.sailor();
    return data.samples;
  }

  private void gavel() throws IOException {
    Path file = folder.resolve("gavel/simulation_throughputs.json");
    if (!Files.exists(file)) {
      return;
    }
    for (GavelThroughputs.Alone each : GavelThroughputs.read(file).alone()) {
      if (!each.gpus().isSpread() && each.throughput() > 0) {
        Workload.Builder workload =
            GavelMeasurements.workload(each.job())
                .framework("pytorch")
                .hyperparameter("iterations", Integer.toString(ITERATIONS));
        TaskProfile task =
            TaskProfile.builder(workload.build())
                .source("gavel")
                .gpu(each.gpus().model().toUpperCase(Locale.ROOT))
                .tasks(each.job().gpus(), 0)
                .build();
        samples.add(PublicResourceData.total(task, ITERATIONS / each.throughput()));
      }
    }
  }

  private void elasticflow() throws IOException {
    for (String gpu : List.of("A100", "T4")) {
      for (Path file : files(folder.resolve("elasticflow/throughputs_" + gpu))) {
        String family = file.getFileName().toString().replace(".csv", "");
        for (CsvRow row : CsvTable.read(file).rows()) {
          for (int gpus = 1; gpus <= MOST_GPUS; gpus *= 2) {
            elasticflow(family, gpu, row, gpus);
          }
        }
      }
    }
  }

  private void elasticflow(String family, String gpu, CsvRow row, int gpus) {
    OptionalDouble rate = FiniteNumber.of(row.text(Integer.toString(gpus)));
    int batch = row.statedWhole("global_batch_size") / gpus;
    if (batch > 0 && rate.isPresent() && rate.getAsDouble() > 0) {
      Workload workload =
          Workload.builder(family)
              .batchSize(batch)
              .hyperparameter("iterations", Integer.toString(ITERATIONS))
              .build();
      TaskProfile task =
          TaskProfile.builder(workload).source("elasticflow").gpu(gpu).tasks(gpus, 0).build();
      samples.add(PublicResourceData.total(task, ITERATIONS / rate.getAsDouble()));
    }
  }

  private void sailor() throws IOException {
    for (Path model : files(folder.resolve("sailor/profiles"))) {
      for (Path gpu : files(model)) {
        JsonNode profile = JSON.readTree(gpu.resolve("profile.json").toFile());
        for (Map.Entry<String, JsonNode> batch : profile.properties()) {
          Workload workload =
              Workload.builder(model.getFileName().toString())
                  .framework("pytorch")
                  .batchSize(Integer.parseInt(batch.getKey()))
                  .hyperparameter("iterations", "1")
                  .build();
          for (Map.Entry<String, JsonNode> parallel : batch.getValue().properties()) {
            TaskProfile task =
                TaskProfile.builder(workload)
                    .source("sailor")
                    .gpu(gpu.getFileName().toString())
                    .gpusPerTask(Integer.parseInt(parallel.getKey()))
                    .build();
            samples.add(PublicResourceData.total(task, secondsOf(parallel.getValue())));
          }
        }
      }
    }
  }

  /** The time of one iteration over all layers: forward, backward and update. */
  private static double secondsOf(JsonNode layers) {
    double seconds = 0;
    for (JsonNode layer : layers) {
      for (JsonNode part : layer) {
        seconds += part.asDouble();
      }
    }
    return seconds;
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
}
