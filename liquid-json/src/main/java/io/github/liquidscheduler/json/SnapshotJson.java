package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.WindowRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON form of a scheduler's state. */
final class SnapshotJson {

  private SnapshotJson() {}

  static SchedulerSnapshot read(JsonValue in) {
    return in.object(
        fields ->
            new SchedulerSnapshot(
                fields.required("policy", JsonValue::text),
                fields.required("now", QuantityJson::instant),
                fields.required("submissions", JsonValue::longInteger),
                fields.list("waiting", SnapshotJson::record),
                fields.list("running", SnapshotJson::record),
                fields.optional("ended", SnapshotJson::ended).orElse(Map.of()),
                fields.list("draining", PlacementJson::node),
                fields.list("lostNodes", PlacementJson::node),
                fields.list("lostGpus", PlacementJson::gpu),
                fields.optional("window", SnapshotJson::window),
                fields.optional("colocations", ColocationJson::read)));
  }

  static void write(JsonOutput out, SchedulerSnapshot snapshot) {
    out.object(
        () -> {
          out.field("policy", snapshot.policy());
          out.field("now", snapshot.now(), QuantityJson::instant);
          out.field("submissions", snapshot.submissions());
          out.list("waiting", snapshot.waiting(), SnapshotJson::record);
          out.list("running", snapshot.running(), SnapshotJson::record);
          if (!snapshot.ended().isEmpty()) {
            out.field("ended", snapshot.ended(), SnapshotJson::ended);
          }
          out.list("draining", snapshot.draining(), PlacementJson::node);
          out.list("lostNodes", snapshot.lostNodes(), PlacementJson::node);
          out.list("lostGpus", snapshot.lostGpus(), PlacementJson::gpu);
          out.optional("window", snapshot.window(), SnapshotJson::window);
          out.optional("colocations", snapshot.colocations(), ColocationJson::write);
        });
  }

  private static JobRecord record(JsonValue in) {
    return in.object(SnapshotJson::record);
  }

  private static JobRecord record(JsonFields in) {
    JobSpec job = in.required("job", JobJson::read);
    return new JobRecord(
        job,
        in.required("sequence", JsonValue::longInteger),
        in.required("submittedAt", QuantityJson::instant),
        in.required("since", QuantityJson::instant),
        in.required("executed", QuantityJson::duration),
        in.required("attained", QuantityJson::duration),
        in.required("forgiven", QuantityJson::duration),
        in.required("preemptions", JsonValue::integer),
        in.optional("bypassed", JsonValue::integer).orElse(0),
        in.required("level", JsonValue::integer),
        in.optional("remaining", QuantityJson::duration),
        in.optional("remainingAt", QuantityJson::instant),
        in.optional("placement", value -> PlacementJson.read(value, job.id())));
  }

  private static void record(JsonOutput out, JobRecord record) {
    out.object(
        () -> {
          out.field("job", record.job(), JobJson::write);
          out.field("sequence", record.sequence());
          out.field("submittedAt", record.submittedAt(), QuantityJson::instant);
          out.field("since", record.since(), QuantityJson::instant);
          out.field("executed", record.executed(), QuantityJson::duration);
          out.field("attained", record.attained(), QuantityJson::duration);
          out.field("forgiven", record.forgiven(), QuantityJson::duration);
          out.field("preemptions", record.preemptions());
          out.field("bypassed", record.bypassed());
          out.field("level", record.level());
          out.optional("remaining", record.remaining(), QuantityJson::duration);
          out.optional("remainingAt", record.remainingAt(), QuantityJson::instant);
          out.optional("placement", record.placement(), PlacementJson::write);
        });
  }

  private static Map<JobId, JobStatus.Outcome> ended(JsonValue in) {
    Map<JobId, JobStatus.Outcome> ended = new LinkedHashMap<>();
    in.entries(value -> value.oneOf(JobStatus.Outcome.class))
        .forEach((job, how) -> ended.put(JobId.of(job), how));
    return ended;
  }

  private static void ended(JsonOutput out, Map<JobId, JobStatus.Outcome> ended) {
    out.object(() -> ended.forEach((job, how) -> out.field(job.value(), how.name())));
  }

  private static WindowRecord window(JsonValue in) {
    return in.object(
        fields ->
            new WindowRecord(
                fields.required("requests", JsonValue::longInteger),
                fields.optional("openedAt", QuantityJson::instant),
                fields.optional("requestedAt", QuantityJson::instant),
                fields.list("entered", JobJson::id),
                fields.list("requested", JobJson::id),
                fields.list("immediate", JobJson::id)));
  }

  private static void window(JsonOutput out, WindowRecord window) {
    out.object(
        () -> {
          out.field("requests", window.requests());
          out.optional("openedAt", window.openedAt(), QuantityJson::instant);
          out.optional("requestedAt", window.requestedAt(), QuantityJson::instant);
          out.list("entered", window.entered(), JobJson::id);
          out.list("requested", window.requested(), JobJson::id);
          out.list("immediate", window.immediate(), JobJson::id);
        });
  }
}
