package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.resource.Bandwidth;
import java.time.Duration;

/** The JSON form of a link: its bandwidth, or an object if it has a latency too. */
final class LinkJson {

  private LinkJson() {}

  static Link read(JsonValue in) {
    if (!in.isObject()) {
      return Link.of(QuantityJson.bandwidth(in));
    }
    return in.object(
        fields ->
            new Link(
                fields.optional("bandwidth", QuantityJson::bandwidth).orElse(Bandwidth.UNLIMITED),
                fields.optional("latency", QuantityJson::duration).orElse(Duration.ZERO)));
  }

  static void write(JsonOutput out, Link link) {
    if (link.latency().isZero()) {
      QuantityJson.bandwidth(out, link.bandwidth());
      return;
    }
    out.object(
        () -> {
          out.field("bandwidth", link.bandwidth(), QuantityJson::bandwidth);
          out.field("latency", link.latency(), QuantityJson::duration);
        });
  }
}
