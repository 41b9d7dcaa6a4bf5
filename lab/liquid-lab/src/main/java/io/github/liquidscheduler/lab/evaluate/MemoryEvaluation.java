package io.github.liquidscheduler.lab.evaluate;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.training.resource.PublicResourceData;
import io.github.liquidscheduler.training.resource.ResourceTrainer;
import io.github.liquidscheduler.training.resource.TrainedResources;
import io.github.liquidscheduler.training.statistics.Sample;
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
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether predictions of device memory hold elsewhere: each source of public measurements is
 * estimated by a model that learned from the others only, at first sight and after two batch sizes
 * of the same series; and no task that ran may be called impossible on the GPU it ran on.
 */
public final class MemoryEvaluation {
  private static final ResourceTarget MEMORY = ResourceTarget.GPU_MEMORY;

  /** The sources that say which GPU a whole task ran on. */
  private static final List<String> RAN = List.of("gavel", "zeus", "elasticflow");

  private final List<ResourceSample> all;
  private final List<TaskProfile> ran;
  private final long seed;

  private MemoryEvaluation(List<ResourceSample> all, List<TaskProfile> ran, long seed) {
    this.all = all;
    this.ran = ran;
    this.seed = seed;
  }

  /**
   * Returns tables of the results, a line per source.
   *
   * @param folder the public data sets, each in a folder of its name
   * @throws IOException if a file cannot be read
   */
  public static List<String> run(Path folder, long seed) throws IOException {
    return of(folder, seed).lines();
  }

  static MemoryEvaluation of(Path folder, long seed) throws IOException {
    List<ResourceSample> samples = PublicResourceData.read(folder);
    Stream<TaskProfile> seen =
        samples.stream().map(ResourceSample::task).filter(task -> RAN.contains(task.source()));
    List<TaskProfile> ran = Stream.concat(seen, neusight(folder)).toList();
    return new MemoryEvaluation(distinct(samples), ran, seed);
  }

  /** The tasks that NeuSight ran, without their memory, which it did not measure. */
  private static Stream<TaskProfile> neusight(Path folder) throws IOException {
    Path file = folder.resolve("neusight/e2e_latency.csv");
    return Files.exists(file)
        ? CsvTable.read(file).rows().stream().map(MemoryEvaluation::task)
        : Stream.empty();
  }

  private static TaskProfile task(CsvRow row) {
    String variant = row.text("variant");
    Workload.Builder workload =
        Workload.builder(row.stated("model"))
            .framework("pytorch")
            .precision("fp32")
            .batchSize(row.statedWhole("batch_size"))
            .hyperparameter("sequence_length", row.text("seq_len"));
    if (row.text("mode").equals("inf")) {
      workload.hyperparameter("mode", "inference");
    }
    if (variant.startsWith("tp")) {
      workload.hyperparameter("tensor_parallel", "4");
    }
    if (variant.startsWith("pp")) {
      workload.hyperparameter("pipeline_parallel", "4");
    }
    return TaskProfile.builder(workload.build())
        .source("neusight")
        .gpu(row.stated("device"))
        .gpusPerTask(variant.contains("p4") ? 4 : 1)
        .build();
  }

  /** One of the rows that measured the memory of the same task: Salus ran each for three times. */
  private static List<ResourceSample> distinct(List<ResourceSample> samples) {
    Map<String, ResourceSample> distinct = new LinkedHashMap<>();
    for (ResourceSample sample : samples) {
      if (sample.value(MEMORY).isPresent()) {
        distinct.putIfAbsent(name(sample), sample);
      }
    }
    return List.copyOf(distinct.values());
  }

  private static String name(ResourceSample sample) {
    TaskProfile task = sample.task();
    return String.join(
        "\n",
        task.source(),
        task.family(),
        task.batch().toString(),
        Integer.toString(task.gpusPerTask()));
  }

  /** Returns the score of the estimates of all sources, each by a model of the others. */
  MemoryScore atFirstSight() {
    return MemoryScore.of(
        sources().stream()
            .flatMap(source -> atFirstSight(trained(source), of(source, true)).stream())
            .toList());
  }

  /** Returns their score after two batch sizes of the same series. */
  MemoryScore afterTwoBatchSizes() {
    return MemoryScore.of(
        sources().stream()
            .flatMap(source -> BatchSeries.outcomes(trained(source), of(source, true)).stream())
            .toList());
  }

  private TrainedResources trained(String heldOut) {
    return new ResourceTrainer(seed).train(of(heldOut, false));
  }

  private static List<Outcome> atFirstSight(TrainedResources trained, List<ResourceSample> test) {
    try (LearnedResourceEstimator estimator = trained.load()) {
      return ResourceEvaluation.estimate(estimator, test);
    }
  }

  private List<String> lines() {
    List<Outcome> first = new ArrayList<>();
    List<Outcome> second = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    lines.add("device memory, each source estimated by the others:");
    lines.add(MemoryScore.header() + "   " + titles());
    for (String source : sources()) {
      List<ResourceSample> test = of(source, true);
      TrainedResources trained = trained(source);
      List<Outcome> outcomes = atFirstSight(trained, test);
      first.addAll(outcomes);
      lines.add(MemoryScore.of(outcomes).line(source) + "   " + baselines(of(source, false), test));
      second.addAll(BatchSeries.outcomes(trained, test));
    }
    lines.add(MemoryScore.of(first).line("all"));
    lines.add("");
    lines.add("after two batch sizes of the same series:");
    lines.add(MemoryScore.header());
    bySource(second).forEach((source, part) -> lines.add(MemoryScore.of(part).line(source)));
    lines.add(MemoryScore.of(second).line("all"));
    lines.add("");
    lines.addAll(impossible());
    return lines;
  }

  private List<String> sources() {
    return all.stream().map(sample -> sample.task().source()).distinct().toList();
  }

  private List<ResourceSample> of(String source, boolean isIt) {
    return all.stream().filter(s -> s.task().source().equals(source) == isIt).toList();
  }

  private static Map<String, List<Outcome>> bySource(List<Outcome> outcomes) {
    return Multimaps.asMap(Multimaps.index(outcomes, outcome -> outcome.sample().task().source()));
  }

  private static String titles() {
    return Stream.of(MemoryBaselines.values())
        .map(baseline -> String.format(Locale.ROOT, "%18s", baseline.title()))
        .collect(Collectors.joining());
  }

  private String baselines(List<ResourceSample> training, List<ResourceSample> test) {
    return Stream.of(MemoryBaselines.values())
        .map(baseline -> error(baseline.learned(training, seed), test))
        .map(error -> String.format(Locale.ROOT, "%18.3f", error))
        .collect(Collectors.joining());
  }

  private static double error(
      ToDoubleFunction<ResourceSample> prediction, List<ResourceSample> test) {
    return Sample.of(
            test.stream()
                .mapToDouble(
                    sample -> {
                      double truth = sample.value(MEMORY).orElseThrow();
                      return Math.abs(prediction.applyAsDouble(sample) - truth) / truth;
                    }))
        .median();
  }

  private List<String> impossible() {
    List<String> lines = new ArrayList<>();
    lines.add("tasks that ran, and of these called impossible on their GPU:");
    try (LearnedResourceEstimator estimator = new ResourceTrainer(seed).train(all).load()) {
      Multimaps.asMap(Multimaps.index(ran, TaskProfile::source))
          .forEach((source, tasks) -> lines.add(impossible(estimator, source, tasks)));
    }
    return lines;
  }

  private static String impossible(
      LearnedResourceEstimator estimator, String source, List<TaskProfile> tasks) {
    List<TaskProfile> called = tasks.stream().filter(t -> isImpossible(estimator, t)).toList();
    String names =
        called.stream()
            .map(task -> task.family() + " " + task.batch().orElse(1) + " on " + task.gpu())
            .distinct()
            .limit(5)
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT, "%-14s %6d %9d   %s", source, tasks.size(), called.size(), names);
  }

  private static boolean isImpossible(LearnedResourceEstimator estimator, TaskProfile task) {
    double least = estimator.estimate(task).of(MEMORY).low();
    return GpuSpecification.named(task.gpu()).filter(gpu -> gpu.memoryBytes() < least).isPresent();
  }
}
