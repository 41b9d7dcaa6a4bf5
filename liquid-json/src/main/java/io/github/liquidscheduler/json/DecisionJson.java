package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;

/** The JSON form of decisions. */
final class DecisionJson {

  private static final Form<Reason> REASON = Form.of(Reason.class);

  private DecisionJson() {}

  static Decision read(JsonValue in) {
    return in.object(DecisionJson::decision);
  }

  static void write(JsonOutput out, Decision decision) {
    out.object(
        () -> {
          out.field("type", type(decision));
          if (decision instanceof Decision.AboutJob aboutJob) {
            out.field("job", aboutJob.job(), JobJson::id);
          }
          writeRest(out, decision);
          out.field("why", decision.why(), REASON.writer());
        });
  }

  private static Decision decision(JsonFields in) {
    String type = in.type();
    return type.equals("requestPlan") ? requestPlan(in) : aboutJob(in, type);
  }

  private static Decision requestPlan(JsonFields in) {
    return Decision.RequestPlan.recorded(
        in.required("number", JsonValue::longInteger),
        in.list("jobs", JobJson::id),
        in.list("deferrable", JobJson::id),
        in.required("why", REASON.reader()));
  }

  private static Decision aboutJob(JsonFields in, String type) {
    JobId job = in.required("job", JobJson::id);
    Reason why = in.required("why", REASON.reader());
    return switch (type) {
      case "start" -> new Decision.Start(job, placement(in, job), why);
      case "preempt" -> new Decision.Preempt(job, why);
      case "migrate" -> new Decision.Migrate(job, placement(in, job), why);
      case "reject" -> new Decision.Reject(job, why);
      default -> throw in.unknownType("start", "preempt", "migrate", "reject", "requestPlan");
    };
  }

  private static String type(Decision decision) {
    return switch (decision) {
      case Decision.Start d -> "start";
      case Decision.Preempt d -> "preempt";
      case Decision.Migrate d -> "migrate";
      case Decision.Reject d -> "reject";
      case Decision.RequestPlan d -> "requestPlan";
    };
  }

  private static void writeRest(JsonOutput out, Decision decision) {
    switch (decision) {
      case Decision.Start d -> out.field("placement", d.placement(), PlacementJson::write);
      case Decision.Migrate d -> out.field("placement", d.placement(), PlacementJson::write);
      case Decision.RequestPlan d -> {
        out.field("number", d.number());
        out.name("jobs").array(d.jobs(), JobJson::id);
        out.list("deferrable", d.deferrable(), JobJson::id);
      }
      case Decision.Preempt d -> {
        // The job and the reason are all there is.
      }
      case Decision.Reject d -> {
        // The job and the reason are all there is.
      }
    }
  }

  private static Placement placement(JsonFields in, JobId job) {
    return in.required("placement", value -> PlacementJson.read(value, job));
  }
}
