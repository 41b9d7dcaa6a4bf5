package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.TaskId;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSON form of where a job runs: an array of its tasks. The job is told by what the placement
 * belongs to. A GPU is written {@code n7:3}, a task {@code worker/0}.
 */
final class PlacementJson {

  static final Form<GpuId> GPU = numbered(GpuId::of, ':', "a GPU such as \"n7:3\"");
  static final Form<TaskId> TASK = numbered(TaskId::new, '/', "a task such as \"worker/0\"");
  static final Form<List<TaskPlacement>> TASKS = Form.of(TaskPlacement.class).list();

  private PlacementJson() {}

  static Placement read(JsonValue in, JobId job) {
    return new Placement(job, TASKS.read(in));
  }

  /** Returns the form of what has a name and a number, as its own text says. */
  private static <T> Form<T> numbered(
      BiFunction<String, Integer, T> maker, char separator, String rule) {
    Pattern pattern = Pattern.compile("(.*)" + separator + "(0|[1-9][0-9]{0,9})", Pattern.DOTALL);
    return new Form<>(
        in -> {
          Matcher parts = pattern.matcher(in.text());
          if (!parts.matches() || Long.parseLong(parts.group(2)) > Integer.MAX_VALUE) {
            throw in.expected(rule);
          }
          return maker.apply(parts.group(1), Integer.valueOf(parts.group(2)));
        },
        (out, value) -> out.text(value.toString()));
  }
}
