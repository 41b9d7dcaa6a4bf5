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
                fields.list("bans", ColocationJson::ban),
                fields.list("learnedStates", ColocationJson::learnedState)));
  }

  static void write(JsonOutput out, ColocationRecord record) {
    out.object(
        () -> {
          out.field("taken", record.taken());
          out.list("reports", record.reports(), ColocationJson::report);
          out.list("rates", record.rates(), ColocationJson::rate);
          out.list("bans", record.bans(), ColocationJson::ban);
          out.list("learnedStates", record.learnedStates(), ColocationJson::learnedState);
        });
  }

  private static ColocationRecord.Report report(JsonValue in) {
    return in.object(
        fields ->
            new ColocationRecord.Report(
                fields.required("job", JobJson::id),
                fields.list("coRunners", gpu -> gpu.array(JobJson::id)),
                retained(fields)));
  }

  private static void report(JsonOutput out, ColocationRecord.Report report) {
    out.object(
        () -> {
          out.field("job", report.job(), JobJson::id);
          out.list("coRunners", report.coRunners(), ColocationJson::jobs);
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

  private static ColocationRecord.Ban ban(JsonValue in) {
    return in.object(
        fields ->
            new ColocationRecord.Ban(
                fields.required("victim", WorkloadJson::read),
                fields.required("other", WorkloadJson::read),
                fields.required("gpu", ColocationJson::gpu),
                retained(fields)));
  }

  private static void ban(JsonOutput out, ColocationRecord.Ban ban) {
    out.object(
        () -> {
          out.field("victim", ban.victim(), WorkloadJson::write);
          out.field("other", ban.other(), WorkloadJson::write);
          out.field("gpu", ban.gpu().name());
          retained(out, ban.retained());
        });
  }

  private static LearnedState learnedState(JsonValue in) {
    return in.object(
        fields ->
            new LearnedState(
                fields.required("kind", JsonValue::text),
                fields.list("names", JsonValue::text),
                fields.list("numbers", JsonValue::number)));
  }

  private static void learnedState(JsonOutput out, LearnedState learnedState) {
    out.object(
        () -> {
          out.field("kind", learnedState.kind());
          out.list("names", learnedState.names(), JsonOutput::text);
          out.list("numbers", learnedState.numbers(), JsonOutput::number);
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
