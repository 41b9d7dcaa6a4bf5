package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.Progress;

/** The JSON form of how far a job has come. */
final class ProgressJson {

  private ProgressJson() {}

  static Progress read(JsonValue in) {
    return in.object(
        fields -> {
          Progress progress =
              Progress.of(
                  fields.required("iterations", JsonValue::longInteger),
                  fields.required("iterationsPerSecond", JsonValue::number));
          return fields
              .optional("remaining", QuantityJson::duration)
              .map(progress::withRemaining)
              .orElse(progress);
        });
  }

  static void write(JsonOutput out, Progress progress) {
    out.object(
        () -> {
          out.field("iterations", progress.iterations());
          out.field("iterationsPerSecond", progress.iterationsPerSecond(), JsonOutput::number);
          out.optional("remaining", progress.remaining(), QuantityJson::duration);
        });
  }
}
