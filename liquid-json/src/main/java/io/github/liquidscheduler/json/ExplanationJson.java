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
                fields.required(
                    "unmetConstraints", value -> value.array(ExplanationJson::unmetConstraint)),
                fields.list("remedies", CounterfactualJson::read)));
  }

  static void write(JsonOutput out, Explanation explanation) {
    out.object(
        () -> {
          out.field("job", explanation.job(), JobJson::id);
          out.field("asOf", explanation.asOf(), QuantityJson::instant);
          out.list(
              "unmetConstraints", explanation.unmetConstraints(), ExplanationJson::unmetConstraint);
          out.list("remedies", explanation.remedies(), CounterfactualJson::write);
        });
  }

  static UnmetConstraint unmetConstraint(JsonValue in) {
    return in.object(
        fields ->
            new UnmetConstraint(
                fields.required("constraint", value -> value.oneOf(Constraint.class)),
                fields.required("scope", JsonValue::text),
                fields.required("requested", JsonValue::longInteger),
                fields.required("available", JsonValue::longInteger),
                fields.optional("closestFit", ExplanationJson::closestFit)));
  }

  static void unmetConstraint(JsonOutput out, UnmetConstraint unmetConstraint) {
    out.object(
        () -> {
          out.field("constraint", unmetConstraint.constraint().name());
          out.field("scope", unmetConstraint.scope());
          out.field("requested", unmetConstraint.requested());
          out.field("available", unmetConstraint.available());
          out.optional("closestFit", unmetConstraint.closestFit(), ExplanationJson::closestFit);
        });
  }

  private static UnmetConstraint.ClosestFit closestFit(JsonValue in) {
    return in.object(
        fields ->
            new UnmetConstraint.ClosestFit(
                fields.required("location", JsonValue::text),
                fields.required("available", JsonValue::longInteger)));
  }

  private static void closestFit(JsonOutput out, UnmetConstraint.ClosestFit fit) {
    out.object(
        () -> {
          out.field("location", fit.location());
          out.field("available", fit.available());
        });
  }
}
