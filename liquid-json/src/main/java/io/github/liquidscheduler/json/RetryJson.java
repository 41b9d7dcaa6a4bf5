package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.util.List;

/** The JSON form of a retry: whether there is one, or when and where. */
final class RetryJson {

  private static final ObjectForm<Retry> WHEN_AND_WHERE =
      new ObjectForm.Fields<Retry, Retry>(in -> Retry.now())
          .optional(
              "after",
              QuantityJson.DURATION,
              Retry::after,
              Duration.ZERO,
              (retry, after) -> new Retry(true, after, retry.avoiding()))
          .optional(
              "avoiding",
              Form.of(NodeId.class).list(),
              Retry::avoiding,
              List.of(),
              (retry, nodes) -> new Retry(true, retry.after(), nodes))
          .build(retry -> retry);

  static final Form<Retry> RETRY = new Form<>(RetryJson::read, RetryJson::write);

  private RetryJson() {}

  private static Retry read(JsonValue in) {
    if (in.isObject()) {
      return WHEN_AND_WHERE.form().read(in);
    }
    return Form.FLAG.read(in) ? Retry.now() : Retry.no();
  }

  private static void write(JsonOutput out, Retry retry) {
    if (retry.equals(Retry.now()) || !retry.again()) {
      out.flag(retry.again());
    } else {
      WHEN_AND_WHERE.form().write(out, retry);
    }
  }
}
