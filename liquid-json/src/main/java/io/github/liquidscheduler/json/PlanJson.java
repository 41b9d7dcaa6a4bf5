package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.List;
import java.util.OptionalLong;

/** The JSON form of batch plans and of the requests for them, each by a record of its fields. */
final class PlanJson {

  static final Form<BatchPlan> PLAN =
      RecordForm.of(PlanFields.class).as(PlanJson::plan, PlanJson::fieldsOf).form();

  static final ObjectForm<Decision.RequestPlan> REQUEST =
      RecordForm.of(RequestFields.class)
          .as(
              in -> Decision.RequestPlan.recorded(in.number, in.jobs, in.deferrable, in.why),
              plan -> new RequestFields(plan.number(), plan.jobs(), plan.deferrable(), plan.why()));

  record PlanFields(
      OptionalLong request,
      List<StartFields> starts,
      List<Migration> migrations,
      List<JobId> postponed,
      PlanCertificate certificate) {}

  record StartFields(JobId job, Placement placement) {}

  record RequestFields(long number, List<JobId> jobs, List<JobId> deferrable, Reason why) {}

  private PlanJson() {}

  private static BatchPlan plan(PlanFields in) {
    return new BatchPlan(
        in.request.orElse(0),
        in.starts.stream().map(StartFields::placement).toList(),
        in.migrations,
        in.postponed,
        in.certificate);
  }

  private static PlanFields fieldsOf(BatchPlan plan) {
    return new PlanFields(
        plan.number() == 0 ? OptionalLong.empty() : OptionalLong.of(plan.number()),
        plan.starts().stream().map(start -> new StartFields(start.job(), start)).toList(),
        plan.migrations(),
        plan.postponed(),
        plan.certificate());
  }
}
