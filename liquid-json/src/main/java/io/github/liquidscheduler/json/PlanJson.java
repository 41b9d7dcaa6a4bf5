package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;

/** The JSON form of batch plans. */
final class PlanJson {

  private static final Form<PlanCertificate> CERTIFICATE = Form.of(PlanCertificate.class);

  private PlanJson() {}

  static BatchPlan read(JsonValue in) {
    return in.object(
        fields ->
            new BatchPlan(
                fields.optional("request", JsonValue::longInteger).orElse(0L),
                fields.list("starts", PlanJson::start),
                fields.list("migrations", PlanJson::migration),
                fields.list("postponed", JobJson::id),
                fields.required("certificate", CERTIFICATE.reader())));
  }

  static void write(JsonOutput out, BatchPlan plan) {
    out.object(
        () -> {
          out.field("request", plan.number(), 0L, JsonOutput::number);
          out.list("starts", plan.starts(), PlanJson::start);
          out.list("migrations", plan.migrations(), PlanJson::migration);
          out.list("postponed", plan.postponed(), JobJson::id);
          out.field("certificate", plan.certificate(), CERTIFICATE.writer());
        });
  }

  private static Placement start(JsonValue in) {
    return in.object(PlanJson::placement);
  }

  private static void start(JsonOutput out, Placement start) {
    out.object(() -> placement(out, start));
  }

  private static Migration migration(JsonValue in) {
    return in.object(
        fields -> {
          Placement to = placement(fields);
          return new Migration(
              to.job(),
              to,
              fields.required("cost", JsonValue::number),
              fields.required("gain", JsonValue::number));
        });
  }

  private static void migration(JsonOutput out, Migration migration) {
    out.object(
        () -> {
          placement(out, migration.to());
          out.field("cost", migration.cost(), JsonOutput::number);
          out.field("gain", migration.gain(), JsonOutput::number);
        });
  }

  private static Placement placement(JsonFields in) {
    JobId job = in.required("job", JobJson::id);
    return in.required("placement", value -> PlacementJson.read(value, job));
  }

  private static void placement(JsonOutput out, Placement placement) {
    out.field("job", placement.job(), JobJson::id);
    out.field("placement", placement, PlacementJson::write);
  }
}
