package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Predicts the resources of a job's tasks. */
@Command(
    name = "estimate",
    description = "Predicts the resources of a job's tasks, with 90 %% intervals.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  liquid estimate --job job.json --gpu V100",
      "",
      "A job file holds one job, such as",
      "  {\"id\": \"train-7\", \"gpus\": 1, \"workload\": {\"family\": \"resnet50\","
          + " \"batchSize\": 64}}",
      "",
      "Sources, the most trustworthy first: measured, learned (from this model family), similar"
          + " (from others), prior (a formula), default. docs/predictions.md explains them."
    })
public final class EstimateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ModelOption model = new ModelOption();

  @Option(
      names = "--job",
      paramLabel = "FILE",
      required = true,
      description = "JSON file of one job; docs/formats.md describes it.")
  private Path job = Path.of("");

  @Option(
      names = "--gpu",
      paramLabel = "MODEL",
      description = "GPU model (default: the job's first preference, or A100).")
  private @Nullable String gpu;

  @Override
  public Integer call() throws IOException {
    Console console = new Console(spec);
    try (LearnedResourceEstimator estimator = model.load()) {
      JobSpec read = JsonCodecs.JOB.read(job);
      GpuModel on = gpu == null ? preferred(read) : GpuModel.of(gpu);
      for (TaskRole role : read.roles()) {
        console.print("%s, each task of role '%s', on %s:", read, role.name(), on);
        TaskEstimate estimate = estimator.estimate(TaskProfile.of(read, role, on));
        new EstimateTable(estimate).lines().forEach(line -> console.print("  %s", line));
        new MemoryTable(estimate).lines().forEach(line -> console.print("  %s", line));
      }
      if (GpuSpecification.named(on.name()).isEmpty()) {
        console.print("GPU model %s is not known: its memory and speed were not used.", on);
      }
      return 0;
    }
  }

  private static GpuModel preferred(JobSpec job) {
    return job.gpuModels().isEmpty() ? GpuModel.of("A100") : job.gpuModels().getFirst();
  }
}
