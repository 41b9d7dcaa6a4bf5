package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the model. */
public final class ModelOption {
  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "ONNX file (default: the shipped model).")
  private @Nullable Path model;

  public LearnedResourceEstimator load() throws IOException {
    return model == null
        ? LearnedResourceEstimator.shipped()
        : LearnedResourceEstimator.read(model);
  }
}
