package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.Workload;
import java.time.Duration;
import java.util.Optional;

/** The JSON form of what a job computes, how much of it, and on which data. */
final class WorkloadJson {

  private WorkloadJson() {}

  static Workload read(JsonValue in) {
    return in.object(
        fields -> {
          Workload.Builder workload = Workload.builder(fields.required("family", JsonValue::text));
          fields.optional("framework", JsonValue::text).ifPresent(workload::framework);
          fields.optional("batchSize", value -> workload.batchSize(value.integer()));
          fields.optional("precision", JsonValue::text).ifPresent(workload::precision);
          fields.optional("dataset", JsonValue::text).ifPresent(workload::dataset);
          fields.strings("hyperparameters").forEach(workload::hyperparameter);
          return workload.build();
        });
  }

  static void write(JsonOutput out, Workload workload) {
    out.object(
        () -> {
          out.field("family", workload.family());
          out.optional("framework", workload.framework(), JsonOutput::text);
          workload.batchSize().ifPresent(size -> out.field("batchSize", size));
          out.optional("precision", workload.precision(), JsonOutput::text);
          out.optional("dataset", workload.dataset(), JsonOutput::text);
          out.strings("hyperparameters", workload.hyperparameters());
        });
  }

  static ExpectedWork expected(JsonValue in) {
    return in.object(
        fields -> {
          Optional<Duration> duration = fields.optional("duration", QuantityJson::duration);
          Optional<Long> iterations = fields.optional("iterations", JsonValue::longInteger);
          if (iterations.isEmpty()) {
            return ExpectedWork.ofDuration(
                duration.orElseThrow(
                    () -> fields.refuse("expected work must have 'duration' or 'iterations'")));
          }
          return duration
              .map(time -> ExpectedWork.of(time, iterations.get()))
              .orElseGet(() -> ExpectedWork.ofIterations(iterations.get()));
        });
  }

  static void expected(JsonOutput out, ExpectedWork work) {
    out.object(
        () -> {
          out.optional("duration", work.duration(), QuantityJson::duration);
          work.iterations().ifPresent(iterations -> out.field("iterations", iterations));
        });
  }

  static Dataset dataset(JsonValue in) {
    return in.object(
        fields ->
            new Dataset(
                fields.required("name", JsonValue::text),
                fields.required("size", QuantityJson::memory)));
  }

  static void dataset(JsonOutput out, Dataset dataset) {
    out.object(
        () -> {
          out.field("name", dataset.name());
          out.field("size", dataset.size(), QuantityJson::memory);
        });
  }
}
