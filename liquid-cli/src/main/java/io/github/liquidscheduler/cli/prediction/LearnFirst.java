package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.resource.ResourceCsv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is learned before the first answer, and whether answers say why. */
final class LearnFirst {
  @Option(
      names = "--observed",
      paramLabel = "FILE",
      description =
          "CSV of the same form with what was measured; learned from, row by row, before the first"
              + " answer.")
  private @Nullable Path observed;

  @Option(names = "--explain", description = "Append from what each answer comes.")
  private boolean isExplained;

  boolean isExplained() {
    return isExplained;
  }

  /** Returns the co-locations that were measured, and refuses a file without any. */
  List<Measurement> colocations() throws IOException {
    if (observed == null) {
      return List.of();
    }
    List<Measurement> measured =
        MeasurementFiles.read(observed).stream().filter(Measurement::isMeasured).toList();
    requireAny(measured, "retained_speed", observed);
    return measured;
  }

  /** Returns the tasks of which something was measured, and refuses a file without any. */
  List<ResourceSample> tasks() throws IOException {
    if (observed == null) {
      return List.of();
    }
    List<ResourceSample> measured =
        ResourceCsv.read(observed).samples().stream()
            .filter(sample -> !sample.values().isEmpty())
            .toList();
    requireAny(measured, "measured usage", observed);
    return measured;
  }

  private static void requireAny(List<?> measured, String what, Path file) {
    if (measured.isEmpty()) {
      throw new IllegalArgumentException(
          "at least one row must have %s, but none has, in %s".formatted(what, file));
    }
  }
}
