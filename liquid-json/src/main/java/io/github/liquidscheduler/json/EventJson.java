package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Instant;

/** The JSON form of events. */
final class EventJson {

  private EventJson() {}

  static ClusterEvent read(JsonValue in) {
    return in.object(EventJson::event);
  }

  static void write(JsonOutput out, ClusterEvent event) {
    out.object(
        () -> {
          out.field("type", type(event));
          out.field("at", event.at(), QuantityJson::instant);
          writeRest(out, event);
        });
  }

  static ClusterEvent event(JsonFields in) {
    String type = in.type();
    Instant at = in.required("at", QuantityJson::instant);
    return switch (type) {
      case "jobSubmitted" -> new ClusterEvent.JobSubmitted(at, in.required("job", JobJson::read));
      case "jobUpdated" -> new ClusterEvent.JobUpdated(at, in.required("job", JobJson::read));
      case "jobFinished" -> new ClusterEvent.JobFinished(at, job(in));
      case "jobFailed" ->
          new ClusterEvent.JobFailed(
              at,
              job(in),
              in.required("failure", value -> value.oneOf(Failure.class)),
              in.required("retry", JsonValue::flag),
              in.optional("updated", JobJson::read));
      case "jobCancelled" -> new ClusterEvent.JobCancelled(at, job(in));
      case "jobProgressed" ->
          new ClusterEvent.JobProgressed(at, job(in), in.required("progress", EventJson::progress));
      case "nodeLost" -> new ClusterEvent.NodeLost(at, in.required("node", PlacementJson::node));
      case "nodeDraining" ->
          new ClusterEvent.NodeDraining(at, in.required("node", PlacementJson::node));
      case "nodeReturned" ->
          new ClusterEvent.NodeReturned(at, in.required("node", PlacementJson::node));
      case "nodeAdded" ->
          new ClusterEvent.NodeAdded(
              at, in.required("node", NodeGroups::one), in.list("domains", DomainGroups::one));
      case "nodeRetired" ->
          new ClusterEvent.NodeRetired(at, in.required("node", PlacementJson::node));
      case "gpuLost" -> new ClusterEvent.GpuLost(at, in.required("gpu", PlacementJson::gpu));
      case "gpuReturned" ->
          new ClusterEvent.GpuReturned(at, in.required("gpu", PlacementJson::gpu));
      case "planProposed" -> new ClusterEvent.PlanProposed(at, in.required("plan", PlanJson::read));
      case "timePassed" -> new ClusterEvent.TimePassed(at);
      default ->
          throw in.unknownType(
              "jobSubmitted",
              "jobUpdated",
              "jobFinished",
              "jobFailed",
              "jobCancelled",
              "jobProgressed",
              "nodeLost",
              "nodeDraining",
              "nodeReturned",
              "nodeAdded",
              "nodeRetired",
              "gpuLost",
              "gpuReturned",
              "planProposed",
              "timePassed");
    };
  }

  private static String type(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.JobSubmitted e -> "jobSubmitted";
      case ClusterEvent.JobUpdated e -> "jobUpdated";
      case ClusterEvent.JobFinished e -> "jobFinished";
      case ClusterEvent.JobFailed e -> "jobFailed";
      case ClusterEvent.JobCancelled e -> "jobCancelled";
      case ClusterEvent.JobProgressed e -> "jobProgressed";
      case ClusterEvent.NodeLost e -> "nodeLost";
      case ClusterEvent.NodeDraining e -> "nodeDraining";
      case ClusterEvent.NodeReturned e -> "nodeReturned";
      case ClusterEvent.NodeAdded e -> "nodeAdded";
      case ClusterEvent.NodeRetired e -> "nodeRetired";
      case ClusterEvent.GpuLost e -> "gpuLost";
      case ClusterEvent.GpuReturned e -> "gpuReturned";
      case ClusterEvent.PlanProposed e -> "planProposed";
      case ClusterEvent.TimePassed e -> "timePassed";
    };
  }

  private static void writeRest(JsonOutput out, ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted e -> out.field("job", e.spec(), JobJson::write);
      case ClusterEvent.JobUpdated e -> out.field("job", e.spec(), JobJson::write);
      case ClusterEvent.JobFinished e -> out.field("job", e.job(), JobJson::id);
      case ClusterEvent.JobFailed e -> {
        out.field("job", e.job(), JobJson::id);
        out.field("failure", e.failure().name());
        out.name("retry").flag(e.retry());
        out.optional("updated", e.updated(), JobJson::write);
      }
      case ClusterEvent.JobCancelled e -> out.field("job", e.job(), JobJson::id);
      case ClusterEvent.JobProgressed e -> {
        out.field("job", e.job(), JobJson::id);
        out.field("progress", e.progress(), EventJson::progress);
      }
      case ClusterEvent.NodeLost e -> out.field("node", e.node(), PlacementJson::node);
      case ClusterEvent.NodeDraining e -> out.field("node", e.node(), PlacementJson::node);
      case ClusterEvent.NodeReturned e -> out.field("node", e.node(), PlacementJson::node);
      case ClusterEvent.NodeAdded e -> {
        out.field("node", e.node(), NodeGroups::one);
        out.list("domains", e.domains(), DomainGroups::write);
      }
      case ClusterEvent.NodeRetired e -> out.field("node", e.node(), PlacementJson::node);
      case ClusterEvent.GpuLost e -> out.field("gpu", e.gpu(), PlacementJson::gpu);
      case ClusterEvent.GpuReturned e -> out.field("gpu", e.gpu(), PlacementJson::gpu);
      case ClusterEvent.PlanProposed e -> out.field("plan", e.plan(), PlanJson::write);
      case ClusterEvent.TimePassed e -> {
        // Its time is all there is.
      }
    }
  }

  private static JobId job(JsonFields in) {
    return in.required("job", JobJson::id);
  }

  private static Progress progress(JsonValue in) {
    return in.object(
        fields -> {
          Progress progress =
              Progress.of(
                  fields.required("iterations", JsonValue::longInteger),
                  fields.required("iterationsPerSecond", JsonValue::number));
          return fields
              .optional("remaining", QuantityJson::duration)
              .map(progress::withRemaining)
              .orElse(progress);
        });
  }

  private static void progress(JsonOutput out, Progress progress) {
    out.object(
        () -> {
          out.field("iterations", progress.iterations());
          out.field("iterationsPerSecond", progress.iterationsPerSecond(), JsonOutput::number);
          out.optional("remaining", progress.remaining(), QuantityJson::duration);
        });
  }
}
