package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;

/** The JSON form of what a job's placement must and should respect. */
final class SoftConstraintsJson {

  private SoftConstraintsJson() {}

  static void read(JsonFields in, JobSpec.Builder job) {
    in.optional("communication", CommunicationJson::read).ifPresent(job::communication);
    in.optional("synchronization", SoftConstraintsJson::synchronization)
        .ifPresent(job::synchronization);
    in.optional("topology", ConstraintJson::read).ifPresent(job::topology);
    in.optional("sharing", SoftConstraintsJson::sharing).ifPresent(job::sharing);
    job.gpuModels(in.list("gpuModels", SoftConstraintsJson::model));
    in.strings("nodeLabels").forEach(job::nodeLabel);
  }

  static void write(JsonOutput out, JobSpec job) {
    out.field(
        "communication", job.communication(), new Communication.None(), CommunicationJson::write);
    out.field(
        "synchronization",
        job.synchronization(),
        new Synchronization.Gang(),
        SoftConstraintsJson::synchronization);
    out.field("topology", job.topology(), TopologyConstraint.NONE, ConstraintJson::write);
    out.field("sharing", job.sharing(), new Sharing.Exclusive(), SoftConstraintsJson::sharing);
    out.list("gpuModels", job.gpuModels(), SoftConstraintsJson::model);
    out.strings("nodeLabels", job.nodeLabels());
  }

  static GpuModel model(JsonValue in) {
    return GpuModel.of(in.text());
  }

  static void model(JsonOutput out, GpuModel model) {
    out.text(model.name());
  }

  private static Synchronization synchronization(JsonValue in) {
    return in.object(
        fields ->
            switch (fields.type()) {
              case "gang" -> new Synchronization.Gang();
              case "relaxedRounds" ->
                  new Synchronization.RelaxedRounds(
                      fields.required("tasksPerRound", JsonValue::integer),
                      fields.required("rounds", JsonValue::integer));
              default -> throw fields.unknownType("gang", "relaxedRounds");
            });
  }

  private static void synchronization(JsonOutput out, Synchronization synchronization) {
    out.object(
        () -> {
          switch (synchronization) {
            case Synchronization.Gang gang -> out.field("type", "gang");
            case Synchronization.RelaxedRounds relaxed -> {
              out.field("type", "relaxedRounds");
              out.field("tasksPerRound", relaxed.tasksPerRound());
              out.field("rounds", relaxed.rounds());
            }
          }
        });
  }

  private static Sharing sharing(JsonValue in) {
    return in.object(
        fields ->
            switch (fields.type()) {
              case "exclusive" -> new Sharing.Exclusive();
              case "guaranteed" ->
                  new Sharing.Guaranteed(fields.required("floor", JsonValue::number));
              case "opportunistic" -> new Sharing.Opportunistic();
              default -> throw fields.unknownType("exclusive", "guaranteed", "opportunistic");
            });
  }

  private static void sharing(JsonOutput out, Sharing sharing) {
    out.object(
        () -> {
          switch (sharing) {
            case Sharing.Exclusive exclusive -> out.field("type", "exclusive");
            case Sharing.Guaranteed guaranteed -> {
              out.field("type", "guaranteed");
              out.field("floor", guaranteed.floor(), JsonOutput::number);
            }
            case Sharing.Opportunistic opportunistic -> out.field("type", "opportunistic");
          }
        });
  }
}
