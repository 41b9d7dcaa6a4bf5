package io.github.liquidscheduler.json;

import io.github.liquidscheduler.explanation.Counterfactual;

/** The JSON form of what would let a waiting job run. */
final class CounterfactualJson {

  private CounterfactualJson() {}

  static Counterfactual read(JsonValue in) {
    return in.object(CounterfactualJson::counterfactual);
  }

  static void write(JsonOutput out, Counterfactual counterfactual) {
    out.object(() -> fields(out, counterfactual));
  }

  private static Counterfactual counterfactual(JsonFields in) {
    return switch (in.type()) {
      case "fewerTasks" ->
          new Counterfactual.FewerTasks(
              in.required("tasks", JsonValue::integer), in.required("gpus", JsonValue::integer));
      case "widerLevel" -> new Counterfactual.WiderLevel(in.required("level", JsonValue::text));
      case "otherModel" ->
          new Counterfactual.OtherModel(in.required("model", SoftConstraintsJson::model));
      case "afterJobsEnd" ->
          new Counterfactual.AfterJobsEnd(
              in.required("jobs", value -> value.array(JobJson::id)),
              in.optional("expectedAt", QuantityJson::instant));
      default -> throw in.unknownType("fewerTasks", "widerLevel", "otherModel", "afterJobsEnd");
    };
  }

  private static void fields(JsonOutput out, Counterfactual counterfactual) {
    switch (counterfactual) {
      case Counterfactual.FewerTasks fewer -> {
        out.field("type", "fewerTasks");
        out.field("tasks", fewer.tasks());
        out.field("gpus", fewer.gpus());
      }
      case Counterfactual.WiderLevel wider -> {
        out.field("type", "widerLevel");
        out.field("level", wider.level());
      }
      case Counterfactual.OtherModel other -> {
        out.field("type", "otherModel");
        out.field("model", other.model(), SoftConstraintsJson::model);
      }
      case Counterfactual.AfterJobsEnd after -> {
        out.field("type", "afterJobsEnd");
        out.name("jobs").array(after.jobs(), JobJson::id);
        out.optional("expectedAt", after.expectedAt(), QuantityJson::instant);
      }
    }
  }
}
