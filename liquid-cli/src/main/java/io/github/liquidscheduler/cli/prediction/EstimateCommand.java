package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.resource.GpuModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
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
    mixinStandardHelpOptions = true)
public final class EstimateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ModelOption model = new ModelOption();

  @Option(
      names = "--job",
      paramLabel = "FILE",
      required = true,
      description = "JSON file of the job.")
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
        console.print("%s, role '%s', on %s", read, role.name(), on);
        print(console, estimator.estimate(TaskProfile.of(read, role, on)));
      }
      return 0;
    }
  }

  private static GpuModel preferred(JobSpec job) {
    return job.gpuModels().isEmpty() ? GpuModel.of("A100") : job.gpuModels().getFirst();
  }

  private static void print(Console console, TaskEstimate estimate) {
    for (ResourceTarget target : ResourceTarget.values()) {
      Prediction prediction = estimate.of(target);
      console.print(
          "  %-28s %12.5g   (%.5g to %.5g)   %s",
          target.column(),
          prediction.value(),
          prediction.low(),
          prediction.high(),
          prediction.provenance().toString().toLowerCase(Locale.ROOT));
    }
    console.print("  %-28s %12s", "GPU memory requested", estimate.gpuMemoryRequested());
  }
}
