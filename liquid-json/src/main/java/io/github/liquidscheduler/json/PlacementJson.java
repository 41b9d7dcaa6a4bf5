package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSON form of where a job runs: an array of its tasks. The job is told by what the placement
 * belongs to. A GPU is written {@code n7:3}, a task {@code worker/0}.
 */
final class PlacementJson {

  private static final Pattern NUMBERED =
      Pattern.compile("(.*)[:/](0|[1-9][0-9]{0,9})", Pattern.DOTALL);

  private PlacementJson() {}

  static Placement read(JsonValue in, JobId job) {
    return new Placement(job, in.array(PlacementJson::task));
  }

  static void write(JsonOutput out, Placement placement) {
    out.array(placement.tasks(), PlacementJson::task);
  }

  static NodeId node(JsonValue in) {
    return NodeId.of(in.text());
  }

  static void node(JsonOutput out, NodeId node) {
    out.text(node.value());
  }

  static GpuId gpu(JsonValue in) {
    String rule = "a GPU such as \"n7:3\"";
    Matcher parts = parts(in, ':', rule);
    return new GpuId(NodeId.of(parts.group(1)), index(in, parts, rule));
  }

  static void gpu(JsonOutput out, GpuId gpu) {
    out.text(gpu.node().value() + ":" + gpu.index());
  }

  static GpuModel model(JsonValue in) {
    return GpuModel.of(in.text());
  }

  static void model(JsonOutput out, GpuModel model) {
    out.text(model.name());
  }

  private static TaskPlacement task(JsonValue in) {
    return in.object(
        fields ->
            new TaskPlacement(
                fields.required("task", PlacementJson::taskId),
                fields.required("node", PlacementJson::node),
                fields.list("gpus", JsonValue::integer),
                fields.required("request", RoleJson::request)));
  }

  private static void task(JsonOutput out, TaskPlacement task) {
    out.object(
        () -> {
          out.field("task", task.task().role() + "/" + task.task().index());
          out.field("node", task.node(), PlacementJson::node);
          out.list("gpus", task.gpus(), JsonOutput::number);
          out.field("request", task.request(), RoleJson::request);
        });
  }

  private static TaskId taskId(JsonValue in) {
    String rule = "a task such as \"worker/0\"";
    Matcher parts = parts(in, '/', rule);
    return new TaskId(parts.group(1), index(in, parts, rule));
  }

  private static Matcher parts(JsonValue in, char separator, String rule) {
    Matcher parts = NUMBERED.matcher(in.text());
    if (!parts.matches() || in.text().charAt(parts.start(2) - 1) != separator) {
      throw in.expected(rule);
    }
    return parts;
  }

  private static int index(JsonValue in, Matcher parts, String rule) {
    long index = Long.parseLong(parts.group(2));
    if (index > Integer.MAX_VALUE) {
      throw in.expected(rule);
    }
    return (int) index;
  }
}
