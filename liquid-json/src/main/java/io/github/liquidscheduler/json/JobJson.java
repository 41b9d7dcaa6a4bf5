package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON form of a job, and of a file of jobs. */
final class JobJson {

  private JobJson() {}

  /** Reads an array of jobs, or an object that has it as its field {@code jobs}. */
  static List<JobSpec> readAll(JsonValue in) {
    return in.isObject()
        ? in.object(fields -> fields.required("jobs", JobJson::distinct))
        : distinct(in);
  }

  static void writeAll(JsonOutput out, List<JobSpec> jobs) {
    out.array(jobs, JobJson::write);
  }

  static JobSpec read(JsonValue in) {
    return in.object(JobJson::job);
  }

  static void write(JsonOutput out, JobSpec job) {
    out.object(
        () -> {
          out.field("id", job.id(), JobJson::id);
          out.field("queue", job.queue().value(), QueueName.DEFAULT.value(), JsonOutput::text);
          out.field("priority", job.priority(), 0, JsonOutput::number);
          out.field("preemptible", job.isPreemptible(), true, JsonOutput::flag);
          out.field("workload", job.workload(), Workload.UNKNOWN, WorkloadJson::write);
          RoleJson.writeSize(out, job);
          SoftConstraintsJson.write(out, job);
          out.optional("expectedWork", job.expectedWork(), WorkloadJson::expected);
          out.optional("dataset", job.dataset(), WorkloadJson::dataset);
          out.strings("labels", job.labels());
        });
  }

  static JobId id(JsonValue in) {
    return JobId.of(in.text());
  }

  static void id(JsonOutput out, JobId id) {
    out.text(id.value());
  }

  private static List<JobSpec> distinct(JsonValue in) {
    Map<JobId, JsonValue> seen = new LinkedHashMap<>();
    return in.array(
        element -> {
          JobSpec job = read(element);
          JsonValue first = seen.putIfAbsent(job.id(), element);
          if (first != null) {
            throw element.refuse(
                "ids of jobs must be distinct, but '%s' comes twice, first in line %d"
                    .formatted(job.id(), first.place().line()));
          }
          return job;
        });
  }

  private static JobSpec job(JsonFields in) {
    JobSpec.Builder job = JobSpec.builder(in.required("id", JobJson::id).value());
    in.optional("queue", value -> job.queue(value.text()));
    in.optional("priority", value -> job.priority(value.integer()));
    in.optional("preemptible", value -> job.preemptible(value.flag()));
    in.optional("workload", WorkloadJson::read).ifPresent(job::workload);
    List<TaskRole> roles = RoleJson.readSize(in);
    job.roles(roles);
    in.optional("parallelism", value -> RoleJson.parallelism(value, roles.get(0).count()))
        .ifPresent(job::parallelism);
    SoftConstraintsJson.read(in, job);
    in.optional("expectedWork", WorkloadJson::expected).ifPresent(job::expectedWork);
    in.optional("dataset", WorkloadJson::dataset).ifPresent(job::dataset);
    in.strings("labels").forEach(job::label);
    return job.build();
  }
}
