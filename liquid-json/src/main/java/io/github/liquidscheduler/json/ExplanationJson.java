package io.github.liquidscheduler.json;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;

/** The JSON form of why a job waits. */
final class ExplanationJson {

  private ExplanationJson() {}

  static Explanation read(JsonValue in) {
    return in.object(
        fields ->
            new Explanation(
                fields.required("job", JobJson::id),
                fields.required("asOf", QuantityJson::instant),
                fields.required("shortfalls", value -> value.array(ExplanationJson::shortfall)),
                fields.list("remedies", CounterfactualJson::read)));
  }

  static void write(JsonOutput out, Explanation explanation) {
    out.object(
        () -> {
          out.field("job", explanation.job(), JobJson::id);
          out.field("asOf", explanation.asOf(), QuantityJson::instant);
          out.list("shortfalls", explanation.shortfalls(), ExplanationJson::shortfall);
          out.list("remedies", explanation.remedies(), CounterfactualJson::write);
        });
  }

  static UnmetConstraint shortfall(JsonValue in) {
    return in.object(
        fields ->
            new UnmetConstraint(
                fields.required("constraint", value -> value.oneOf(Constraint.class)),
                fields.required("subject", JsonValue::text),
                fields.required("asked", JsonValue::longInteger),
                fields.required("available", JsonValue::longInteger),
                fields.optional("nearestMiss", ExplanationJson::nearMiss)));
  }

  static void shortfall(JsonOutput out, UnmetConstraint shortfall) {
    out.object(
        () -> {
          out.field("constraint", shortfall.constraint().name());
          out.field("subject", shortfall.subject());
          out.field("asked", shortfall.asked());
          out.field("available", shortfall.available());
          out.optional("nearestMiss", shortfall.nearestMiss(), ExplanationJson::nearMiss);
        });
  }

  private static UnmetConstraint.ClosestFit nearMiss(JsonValue in) {
    return in.object(
        fields ->
            new UnmetConstraint.ClosestFit(
                fields.required("place", JsonValue::text),
                fields.required("available", JsonValue::longInteger)));
  }

  private static void nearMiss(JsonOutput out, UnmetConstraint.ClosestFit miss) {
    out.object(
        () -> {
          out.field("place", miss.place());
          out.field("available", miss.available());
        });
  }
}
