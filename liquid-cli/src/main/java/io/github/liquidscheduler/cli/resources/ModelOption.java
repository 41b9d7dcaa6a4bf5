package io.github.liquidscheduler.cli.resources;

import io.github.liquidscheduler.estimator.resource.ResourceModel;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which model to ask. */
final class ModelOption {
  @Option(names = "--model", description = "The ONNX file. Default: the one that is shipped.")
  private @Nullable Path model;

  ResourceModel load() throws IOException {
    return model == null ? ResourceModel.shipped() : ResourceModel.read(model);
  }
}
