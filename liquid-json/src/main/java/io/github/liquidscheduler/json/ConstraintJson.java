package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.job.TopologyConstraint.Spread;
import java.util.Optional;

/** The JSON form of how close together, or how far apart, the tasks of a job are placed. */
final class ConstraintJson {

  private ConstraintJson() {}

  static TopologyConstraint read(JsonValue in) {
    return in.object(ConstraintJson::topology);
  }

  private static TopologyConstraint topology(JsonFields in) {
    Optional<String> required = in.optional("required", JsonValue::text);
    Optional<String> preferred = in.optional("preferred", JsonValue::text);
    Optional<Slices> slices = in.optional("slices", Form.of(Slices.class).reader());
    Optional<Spread> spread = in.optional("spread", Form.of(Spread.class).reader());
    TopologyConstraint topology = TopologyConstraint.NONE;
    topology = required.map(topology::andRequired).orElse(topology);
    topology = preferred.map(topology::andPreferred).orElse(topology);
    topology = slices.isEmpty() ? topology : with(topology, slices.get());
    return spread.isEmpty() ? topology : with(topology, spread.get());
  }

  private static TopologyConstraint with(TopologyConstraint topology, Slices slices) {
    return topology.andSlices(slices.tasks(), slices.level());
  }

  private static TopologyConstraint with(TopologyConstraint topology, Spread spread) {
    return topology.andSpread(spread.maxTasks(), spread.level());
  }

  static void write(JsonOutput out, TopologyConstraint topology) {
    out.object(
        () -> {
          out.optional("required", topology.required(), JsonOutput::text);
          out.optional("preferred", topology.preferred(), JsonOutput::text);
          out.optional("slices", topology.slices(), Form.of(Slices.class).writer());
          out.optional("spread", topology.spread(), Form.of(Spread.class).writer());
        });
  }
}
