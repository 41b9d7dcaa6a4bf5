package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.training.table.CsvRow;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts public measurements, in their owners' formats, to samples. What a data set does not say
 * stays unknown; what follows from its published scripts (the optimiser, the data set, how the
 * allocator behaves) is stated as a hyper-parameter. Times are per stated number of iterations or
 * epochs, because few of them come from whole jobs.
 */
public final class PublicResourceData {
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
   * @throws IllegalArgumentException if all are missing, or one is malformed
   */
  public static List<ResourceSample> read(Path folder) throws IOException {
    PublicResourceData data = new PublicResourceData(folder);
    data.salus();
    data.miso();
    data.zeus();
    data.muri();
    data.samples.addAll(PublicThroughputs.read(folder));
    data.samples.addAll(PublicMemory.sailor(folder));
    if (data.samples.isEmpty()) {
      throw new IllegalArgumentException(
          "at least one of the folders salus, miso, zeus, muri, gavel, elasticflow and sailor must"
              + " be there with its data, but none is, in "
              + folder);
    }
    return List.copyOf(data.samples);
  }

  private void salus() throws IOException {
    Path file = folder.resolve("salus/workloads.csv");
    if (!Files.exists(file)) {
      return;
    }
    List<CsvRow> rows =
        CsvTable.readWithoutHeader(
                file, "workload", "seconds", "megabytes", "iterations", "command")
            .rows();
    for (CsvRow row : rows) {
      List<String> name = List.of(row.text("workload").split("_", -1));
      Workload workload =
          Workload.builder(name.get(0))
              .framework("tensorflow")
              .dataset("imagenet")
              .batchSize(Integer.parseInt(name.get(1)))
              .hyperparameter("allocator", "peak")
              .hyperparameter("optimizer", "sgd")
              .hyperparameter("iterations", row.text("iterations"))
              .build();
      samples.add(
          new ResourceSample(
              TaskProfile.builder(workload).source("salus").build(),
              Map.of(
                  ResourceTarget.GPU_MEMORY,
                  1e6 * row.statedNumber("megabytes"),
                  ResourceTarget.TOTAL,
                  row.statedNumber("seconds"))));
    }
  }

  private void miso() throws IOException {
    for (CsvRow row : rows("miso/util_collection.csv")) {
      String family = row.text("model");
      String dataset = MISO_DATA.get(family);
      if (dataset == null) {
        // The dummy that only shows what an idle process takes.
        continue;
      }
      Workload workload =
          Workload.builder(family)
              .framework("tensorflow")
              .dataset(dataset)
              .batchSize(row.statedWhole("batch_size"))
              .hyperparameter("allocator", "growth")
              .hyperparameter("optimizer", family.equals("embedding") ? "rmsprop" : "adam")
              .build();
      samples.add(
          new ResourceSample(
              TaskProfile.builder(workload).source("miso").gpu("A100").build(),
              Map.of(
                  ResourceTarget.GPU_MEMORY,
                  (1 << 20) * row.statedNumber("memory_mib"),
                  ResourceTarget.GPU_UTILIZATION,
                  row.statedNumber("util_sm_pct") / 100)));
    }
  }

  private void zeus() throws IOException {
    for (String gpu : List.of("A40", "P100", "RTX6000", "V100")) {
      for (CsvRow row : rows("zeus/summary_power_" + gpu.toLowerCase(Locale.ROOT) + ".csv")) {
        Workload workload =
            Workload.builder(row.stated("network"))
                .framework("pytorch")
                .dataset(row.text("dataset"))
                .batchSize(row.statedWhole("batch_size"))
                .hyperparameter("optimizer", row.text("optimizer").toLowerCase(Locale.ROOT))
                .hyperparameter("power_limit", row.text("power_limit"))
                .hyperparameter("epochs", "1")
                .build();
        TaskProfile task = TaskProfile.builder(workload).source("zeus").gpu(gpu).build();
        samples.add(total(task, row.statedNumber("time_per_epoch")));
      }
    }
  }

  private void muri() throws IOException {
    Map<String, ResourceSample> profiles = new LinkedHashMap<>();
    for (int type = 1; type <= 4; type++) {
      for (CsvRow row : rows("muri/simulator/trace-data/job_type_" + type + ".csv")) {
        double seconds = row.statedNumber("iteration_time") / 1000;
        double busy = row.statedNumber("resource_time_1") / 1000;
        Workload workload =
            Workload.builder(row.stated("model_name"))
                .batchSize(row.statedWhole("batch_size"))
                .hyperparameter("iterations", "1")
                .build();
        TaskProfile task =
            TaskProfile.builder(workload)
                .source("muri")
                .tasks(row.statedWhole("num_gpu"), 0)
                .build();
        profiles.putIfAbsent(
            task.signature() + seconds,
            new ResourceSample(
                task,
                Map.of(
                    ResourceTarget.GPU_UTILIZATION,
                    Math.min(1, busy / seconds),
                    ResourceTarget.TOTAL,
                    seconds)));
      }
    }
    samples.addAll(profiles.values());
  }

  /** Returns the sample of a task whose time was measured. */
  static ResourceSample total(TaskProfile task, double seconds) {
    return new ResourceSample(task, Map.of(ResourceTarget.TOTAL, seconds));
  }

  private List<CsvRow> rows(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? CsvTable.read(file).rows() : List.of();
  }
}
