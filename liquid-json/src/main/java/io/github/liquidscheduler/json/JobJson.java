package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The JSON form of a job, and of a file of jobs. */
final class JobJson {

  static final Form<Workload> WORKLOAD =
      new ObjectForm.Fields<>("family", Form.TEXT, Workload::family, Workload::builder)
          .optional("framework", Form.TEXT, Workload::framework, Workload.Builder::framework)
          .optional("batchSize", Form.INTEGER, JobJson::batchSize, Workload.Builder::batchSize)
          .optional("precision", Form.TEXT, Workload::precision, Workload.Builder::precision)
          .optional("dataset", Form.TEXT, Workload::dataset, Workload.Builder::dataset)
          .strings("hyperparameters", Workload::hyperparameters, Workload.Builder::hyperparameter)
          .build(Workload.Builder::build)
          .form();

  static final Form<JobSpec> JOB =
      new ObjectForm.Fields<>("id", Form.of(JobId.class), JobSpec::id, JobJson::builder)
          .optional(
              "queue",
              Form.TEXT,
              job -> job.queue().value(),
              QueueName.DEFAULT.value(),
              JobSpec.Builder::queue)
          .optional("priority", Form.INTEGER, JobSpec::priority, 0, JobSpec.Builder::priority)
          .optional(
              "preemptible", Form.FLAG, JobSpec::isPreemptible, true, JobSpec.Builder::preemptible)
          .optional(
              "workload", WORKLOAD, JobSpec::workload, Workload.UNKNOWN, JobSpec.Builder::workload)
          .with(RoleJson::readSize, RoleJson::writeSize)
          .optional(
              "communication",
              Form.of(Communication.class),
              JobSpec::communication,
              new Communication.None(),
              JobSpec.Builder::communication)
          .optional(
              "synchronization",
              Form.of(Synchronization.class),
              JobSpec::synchronization,
              new Synchronization.Gang(),
              JobSpec.Builder::synchronization)
          .optional(
              "topology",
              Form.of(TopologyConstraint.class),
              JobSpec::topology,
              TopologyConstraint.NONE,
              JobSpec.Builder::topology)
          .optional(
              "sharing",
              Form.of(Sharing.class),
              JobSpec::sharing,
              new Sharing.Exclusive(),
              JobSpec.Builder::sharing)
          .optional(
              "gpuModels",
              Form.of(GpuModel.class).list(),
              JobSpec::gpuModels,
              List.of(),
              JobSpec.Builder::gpuModels)
          .strings("nodeLabels", JobSpec::nodeLabels, JobSpec.Builder::nodeLabel)
          .optional(
              "excludedNodes",
              Form.TEXT.list(),
              job -> List.copyOf(job.excludedNodes()),
              List.of(),
              JobSpec.Builder::excludeNodes)
          .optional(
              "expectedWork",
              Form.of(ExpectedWork.class),
              JobSpec::expectedWork,
              JobSpec.Builder::expectedWork)
          .optional(
              "deadline", Form.of(Instant.class), JobSpec::deadline, JobSpec.Builder::deadline)
          .optional(
              "submittedAt",
              Form.of(Instant.class),
              JobSpec::submittedAt,
              JobSpec.Builder::submittedAt)
          .optional(
              "datasets",
              Form.of(Dataset.class).list(),
              JobSpec::datasets,
              List.of(),
              JobJson::withDatasets)
          .strings("labels", JobSpec::labels, JobSpec.Builder::label)
          .build(JobSpec.Builder::build)
          .form();

  /** An array of jobs, which may also be read as the field {@code jobs} of an object. */
  static final Form<List<JobSpec>> JOBS =
      new Form<>(
          in ->
              in.isObject()
                  ? in.object(fields -> fields.required("jobs", JobJson::distinct))
                  : distinct(in),
          JOB.list().writer());

  private JobJson() {}

  private static JobSpec.Builder builder(JobId id) {
    return JobSpec.builder(id.value());
  }

  private static JobSpec.Builder withDatasets(JobSpec.Builder job, List<Dataset> datasets) {
    datasets.forEach(job::dataset);
    return job;
  }

  private static Optional<Integer> batchSize(Workload workload) {
    return workload.batchSize().stream().boxed().findFirst();
  }

  private static List<JobSpec> distinct(JsonValue in) {
    Map<JobId, JsonValue> seen = new LinkedHashMap<>();
    return in.array(
        element -> {
          JobSpec job = JOB.read(element);
          JsonValue first = seen.putIfAbsent(job.id(), element);
          if (first != null) {
            throw element.refuse(
                "ids of jobs must be distinct, but '%s' comes twice, first in line %d"
                    .formatted(job.id(), first.place().line()));
          }
          return job;
        });
  }
}
