package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Optional;

/** The JSON form of what a job's placement must and should respect. */
final class WishesJson {

  private WishesJson() {}

  static void read(JsonFields in, JobSpec.Builder job) {
    in.optional("communication", CommunicationJson::read).ifPresent(job::communication);
    in.optional("synchronization", WishesJson::synchronization).ifPresent(job::synchronization);
    in.optional("topology", WishesJson::topology).ifPresent(job::topology);
    in.optional("sharing", WishesJson::sharing).ifPresent(job::sharing);
    job.gpuModels(in.list("gpuModels", WishesJson::model));
    in.strings("nodeLabels").forEach(job::nodeLabel);
  }

  static void write(JsonOutput out, JobSpec job) {
    out.field(
        "communication", job.communication(), new Communication.None(), CommunicationJson::write);
    out.field(
        "synchronization",
        job.synchronization(),
        new Synchronization.Gang(),
        WishesJson::synchronization);
    out.field("topology", job.topology(), TopologyConstraint.NONE, WishesJson::topology);
    out.field("sharing", job.sharing(), new Sharing.Exclusive(), WishesJson::sharing);
    out.list("gpuModels", job.gpuModels(), WishesJson::model);
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

  private static TopologyConstraint topology(JsonValue in) {
    return in.object(
        fields -> {
          TopologyConstraint topology = TopologyConstraint.NONE;
          Optional<String> required = fields.optional("required", JsonValue::text);
          Optional<String> preferred = fields.optional("preferred", JsonValue::text);
          Optional<TopologyConstraint.Slices> slices =
              fields.optional("slices", WishesJson::slices);
          Optional<TopologyConstraint.Spread> spread =
              fields.optional("spread", WishesJson::spread);
          topology = required.map(topology::andRequired).orElse(topology);
          topology = preferred.map(topology::andPreferred).orElse(topology);
          if (slices.isPresent()) {
            topology = topology.andSlices(slices.get().tasks(), slices.get().level());
          }
          return spread.isPresent()
              ? topology.andSpread(spread.get().maxTasks(), spread.get().level())
              : topology;
        });
  }

  private static TopologyConstraint.Slices slices(JsonValue in) {
    return in.object(
        fields ->
            new TopologyConstraint.Slices(
                fields.required("tasks", JsonValue::integer),
                fields.required("level", JsonValue::text)));
  }

  private static TopologyConstraint.Spread spread(JsonValue in) {
    return in.object(
        fields ->
            new TopologyConstraint.Spread(
                fields.required("maxTasks", JsonValue::integer),
                fields.required("level", JsonValue::text)));
  }

  private static void topology(JsonOutput out, TopologyConstraint topology) {
    out.object(
        () -> {
          out.optional("required", topology.required(), JsonOutput::text);
          out.optional("preferred", topology.preferred(), JsonOutput::text);
          out.optional("slices", topology.slices(), WishesJson::slices);
          out.optional("spread", topology.spread(), WishesJson::spread);
        });
  }

  private static void slices(JsonOutput out, TopologyConstraint.Slices slices) {
    out.object(
        () -> {
          out.field("tasks", slices.tasks(), JsonOutput::number);
          out.field("level", slices.level());
        });
  }

  private static void spread(JsonOutput out, TopologyConstraint.Spread spread) {
    out.object(
        () -> {
          out.field("maxTasks", spread.maxTasks(), JsonOutput::number);
          out.field("level", spread.level());
        });
  }
}
