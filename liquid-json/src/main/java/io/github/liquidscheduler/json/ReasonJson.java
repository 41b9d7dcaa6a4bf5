package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.WindowTrigger;

/** The JSON form of why a decision was taken. */
final class ReasonJson {

  private ReasonJson() {}

  static Reason read(JsonValue in) {
    return in.object(ReasonJson::reason);
  }

  static void write(JsonOutput out, Reason reason) {
    out.object(() -> fields(out, reason));
  }

  private static Reason reason(JsonFields in) {
    return switch (in.type()) {
      case "scheduled" ->
          new Reason.Scheduled(
              in.required("policy", JsonValue::text), in.required("bypassed", JsonValue::integer));
      case "preemptedByPriority" ->
          new Reason.PreemptedByPriority(
              in.required("policy", JsonValue::text), in.required("winner", JobJson::id));
      case "nodeGone" -> new Reason.NodeGone(in.required("node", PlacementJson::node));
      case "gpuGone" -> new Reason.GpuGone(in.required("gpu", PlacementJson::gpu));
      case "infeasible" ->
          new Reason.Infeasible(
              in.required(
                  "unmetConstraints", value -> value.array(ExplanationJson::unmetConstraint)));
      case "interferenceViolation" ->
          new Reason.InterferenceViolation(
              in.required("slowed", JobJson::id),
              in.required("retained", JsonValue::number),
              in.required("promised", JsonValue::number));
      case "netGain" ->
          new Reason.NetGain(
              in.required("gainSeconds", JsonValue::number),
              in.required("costSeconds", JsonValue::number));
      case "windowClosed" ->
          new Reason.WindowClosed(
              in.required("trigger", value -> value.oneOf(WindowTrigger.class)),
              in.required("jobs", JsonValue::integer));
      case "planned" -> new Reason.Planned(in.required("request", JsonValue::longInteger));
      default ->
          throw in.unknownType(
              "scheduled",
              "preemptedByPriority",
              "nodeGone",
              "gpuGone",
              "infeasible",
              "interferenceViolation",
              "netGain",
              "windowClosed",
              "planned");
    };
  }

  private static void fields(JsonOutput out, Reason reason) {
    switch (reason) {
      case Reason.Scheduled turn -> {
        out.field("type", "scheduled");
        out.field("policy", turn.policy());
        out.field("bypassed", turn.bypassed());
      }
      case Reason.PreemptedByPriority preempted -> {
        out.field("type", "preemptedByPriority");
        out.field("policy", preempted.policy());
        out.field("winner", preempted.winner(), JobJson::id);
      }
      case Reason.NodeGone gone -> {
        out.field("type", "nodeGone");
        out.field("node", gone.node(), PlacementJson::node);
      }
      case Reason.GpuGone gone -> {
        out.field("type", "gpuGone");
        out.field("gpu", gone.gpu(), PlacementJson::gpu);
      }
      case Reason.Infeasible infeasible -> {
        out.field("type", "infeasible");
        out.list(
            "unmetConstraints", infeasible.unmetConstraints(), ExplanationJson::unmetConstraint);
      }
      case Reason.InterferenceViolation slows -> {
        out.field("type", "interferenceViolation");
        out.field("slowed", slows.slowed(), JobJson::id);
        out.field("retained", slows.retained(), JsonOutput::number);
        out.field("promised", slows.promised(), JsonOutput::number);
      }
      case Reason.NetGain gain -> {
        out.field("type", "netGain");
        out.field("gainSeconds", gain.gainSeconds(), JsonOutput::number);
        out.field("costSeconds", gain.costSeconds(), JsonOutput::number);
      }
      case Reason.WindowClosed closed -> {
        out.field("type", "windowClosed");
        out.field("trigger", closed.trigger().name());
        out.field("jobs", closed.jobs());
      }
      case Reason.Planned planned -> {
        out.field("type", "planned");
        out.field("request", planned.number());
      }
    }
  }
}
