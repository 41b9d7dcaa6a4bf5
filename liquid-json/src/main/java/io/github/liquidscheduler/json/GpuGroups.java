package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The GPUs of a node in a cluster file: an array of which an entry may be several equal GPUs. */
final class GpuGroups {

  static final Form<List<Gpu>> GPUS =
      new Form<>(
          GpuGroups::read,
          (out, gpus) ->
              out.array(Runs.of(gpus, (run, gpu) -> gpu.equals(run.get(0))), GpuGroups::run));

  private static final Form<GpuModel> MODEL = Form.of(GpuModel.class);

  private GpuGroups() {}

  private static List<Gpu> read(JsonValue in) {
    List<Gpu> gpus = new ArrayList<>();
    in.array(entry -> gpus.addAll(entry.object(fields -> group(fields, gpus.size()))));
    return gpus;
  }

  private static List<Gpu> group(JsonFields in, int before) {
    int count = in.optional("count", value -> value.within(1, Node.MAX_GPUS - before)).orElse(1);
    in.optional("index", value -> number(value, before));
    Gpu gpu =
        new Gpu(
            in.required("model", MODEL.reader()),
            in.required("memory", QuantityJson.MEMORY.reader()),
            in.optional("nvlinkGroup", JsonValue::integer).orElse(0),
            in.optional("numaNode", JsonValue::integer).orElse(0));
    return Collections.nCopies(count, gpu);
  }

  /** Numbers may be written for the reader's sake, but it is the position that counts. */
  private static int number(JsonValue in, int next) {
    if (in.integer() != next) {
      throw in.expected(next + ", the next number");
    }
    return next;
  }

  private static void run(JsonOutput out, List<Gpu> run) {
    Gpu gpu = run.get(0);
    out.object(
        () -> {
          out.field("count", run.size(), 1, Form.INTEGER);
          out.field("model", gpu.model(), MODEL);
          out.field("memory", gpu.memory(), QuantityJson.MEMORY);
          out.field("nvlinkGroup", gpu.nvlinkGroup(), 0, Form.INTEGER);
          out.field("numaNode", gpu.numaNode(), 0, Form.INTEGER);
        });
  }
}
