package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names what a scheduler of a journal or snapshot predicted slowdowns with. */
final class InterferenceOption {
  @Option(
      names = "--interference",
      paramLabel = "FILE",
      description =
          "If jobs share GPUs: the ONNX file of the interference model that the scheduler used"
              + " (default: the shipped models).")
  private @Nullable Path model;

  /** Returns the predictor, which is open until the program ends. */
  CompositePredictor predictor() {
    try {
      return model == null
          ? CompositePredictor.shipped()
          : CompositePredictor.builder().model(model).build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
