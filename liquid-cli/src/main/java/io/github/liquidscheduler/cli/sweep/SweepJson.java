package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.simulator.output.JsonObject;
import java.util.List;

/** A sweep as {@link SweepReader} reads it, all files by their whole names. */
final class SweepJson {

  private SweepJson() {}

  /** Returns the text; equal sweeps have equal ones. */
  static String of(Sweep sweep) {
    JsonObject json =
        new JsonObject()
            .with("traces", sweep.traces().stream().map(SweepJson::trace).toList())
            .with("clusters", sweep.clusters())
            .with("policies", sweep.policies())
            .with("placers", sweep.placers())
            .with("loads", sweep.loads())
            .with("seeds", sweep.seeds());
    sweep.block().ifPresent(block -> json.with("block", block));
    List<JsonObject> options =
        sweep.optionSets().stream().map(set -> new JsonObject().withAll(set)).toList();
    return json.with("options", options).pageWithInlineArrays();
  }

  private static JsonObject trace(SweptTrace trace) {
    return new JsonObject()
        .with("file", trace.file().toString())
        .with("format", trace.format())
        .with("columns", trace.columns());
  }
}
