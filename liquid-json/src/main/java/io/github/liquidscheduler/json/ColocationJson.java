package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.ColocationRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The JSON form of what a scheduler has learned from jobs that share GPUs. */
final class ColocationJson {

  private ColocationJson() {}

  static ColocationRecord read(JsonValue in) {
    return in.object(
        fields ->
            new ColocationRecord(
                fields.required("taken", JsonValue::longInteger),
                fields.list("reports", ColocationJson::report),
                fields.list("rates", ColocationJson::rate),
                fields.list("separations", ColocationJson::separation),
                fields.list("lessons", ColocationJson::lesson)));
  }

  static void write(JsonOutput out, ColocationRecord record) {
    out.object(
        () -> {
          out.field("taken", record.taken());
          out.list("reports", record.reports(), ColocationJson::report);
          out.list("rates", record.rates(), ColocationJson::rate);
          out.list("separations", record.separations(), ColocationJson::separation);
          out.list("lessons", record.lessons(), ColocationJson::lesson);
        });
  }

  private static ColocationRecord.Report report(JsonValue in) {
    return in.object(
        fields ->
            new ColocationRecord.Report(
                fields.required("job", JobJson::id),
                fields.list("company", gpu -> gpu.array(JobJson::id)),
                retained(fields)));
  }

  private static void report(JsonOutput out, ColocationRecord.Report report) {
    out.object(
        () -> {
          out.field("job", report.job(), JobJson::id);
          out.list("company", report.company(), ColocationJson::jobs);
          retained(out, report.retained());
        });
  }

  private static void jobs(JsonOutput out, List<JobId> jobs) {
    out.array(jobs, JobJson::id);
  }

  private static ColocationRecord.Rate rate(JsonValue in) {
    return in.object(
        fields ->
            new ColocationRecord.Rate(
                fields.required("workload", WorkloadJson::read),
                fields.required("gpu", ColocationJson::gpu),
                fields.required("gpus", JsonValue::integer),
                fields.required("iterationsPerSecond", JsonValue::number),
                fields.required("count", JsonValue::integer)));
  }

  private static void rate(JsonOutput out, ColocationRecord.Rate rate) {
    out.object(
        () -> {
          out.field("workload", rate.workload(), WorkloadJson::write);
          out.field("gpu", rate.gpu().name());
          out.field("gpus", rate.gpus());
          out.name("iterationsPerSecond").number(rate.iterationsPerSecond());
          out.field("count", rate.count());
        });
  }

  private static ColocationRecord.Separation separation(JsonValue in) {
    return in.object(
        fields ->
            new ColocationRecord.Separation(
                fields.required("victim", WorkloadJson::read),
                fields.required("other", WorkloadJson::read),
                fields.required("gpu", ColocationJson::gpu),
                retained(fields)));
  }

  private static void separation(JsonOutput out, ColocationRecord.Separation separation) {
    out.object(
        () -> {
          out.field("victim", separation.victim(), WorkloadJson::write);
          out.field("other", separation.other(), WorkloadJson::write);
          out.field("gpu", separation.gpu().name());
          retained(out, separation.retained());
        });
  }

  private static LearnedState lesson(JsonValue in) {
    return in.object(
        fields ->
            new LearnedState(
                fields.required("kind", JsonValue::text),
                fields.list("names", JsonValue::text),
                fields.list("numbers", JsonValue::number)));
  }

  private static void lesson(JsonOutput out, LearnedState lesson) {
    out.object(
        () -> {
          out.field("kind", lesson.kind());
          out.list("names", lesson.names(), JsonOutput::text);
          out.list("numbers", lesson.numbers(), JsonOutput::number);
        });
  }

  private static OptionalDouble retained(JsonFields fields) {
    Optional<Double> retained = fields.optional("retained", JsonValue::number);
    return retained.isPresent() ? OptionalDouble.of(retained.get()) : OptionalDouble.empty();
  }

  private static void retained(JsonOutput out, OptionalDouble retained) {
    retained.ifPresent(part -> out.name("retained").number(part));
  }

  private static GpuModel gpu(JsonValue in) {
    return GpuModel.of(in.text());
  }
}
