package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Map;

/**
 * The JSON form of a part of a scheduler's state, whatever it holds. A value of the API stands in
 * an object of its own, under the name of its kind: {@code {"$job": …}}.
 */
final class SnapshotJson {

  static final Form<SnapshotSection> SECTION =
      new Form<Object>(SnapshotJson::value, SnapshotJson::value)
          .entries()
          .as(SnapshotSection::new, SnapshotSection::values);

  private static final String JOB = "$job";
  private static final String PLACEMENT = "$placement";
  private static final String WORKLOAD = "$workload";

  private static final Form<Placement> PLACED = Form.of(Placement.class);

  private SnapshotJson() {}

  private static Object value(JsonValue in) {
    return switch (in.content()) {
      case String text -> text;
      case Boolean flag -> flag;
      case JsonValue.Numeral number when number.integral() -> in.longInteger();
      case JsonValue.Numeral number -> in.number();
      case List<?> elements -> in.array(SnapshotJson::value);
      case Map<?, ?> members when isOfTheApi(members) -> in.object(SnapshotJson::ofTheApi);
      default -> SECTION.read(in);
    };
  }

  private static boolean isOfTheApi(Map<?, ?> members) {
    return members.keySet().stream().anyMatch(name -> name.toString().startsWith("$"));
  }

  private static Object ofTheApi(JsonFields in) {
    if (in.has(JOB)) {
      return in.required(JOB, JobJson.JOB.reader());
    }
    return in.has(PLACEMENT)
        ? in.required(PLACEMENT, PLACED.reader())
        : in.required(WORKLOAD, JobJson.WORKLOAD.reader());
  }

  private static void value(JsonOutput out, Object value) {
    switch (value) {
      case Long number -> out.number(number);
      case Double number -> out.number(number);
      case Boolean flag -> out.flag(flag);
      case List<?> elements -> out.array(elements, SnapshotJson::value);
      case SnapshotSection section -> SECTION.write(out, section);
      case JobSpec job -> out.object(() -> out.field(JOB, job, JobJson.JOB));
      case Placement placement -> out.object(() -> out.field(PLACEMENT, placement, PLACED));
      case Workload workload -> out.object(() -> out.field(WORKLOAD, workload, JobJson.WORKLOAD));
      default -> out.text(value.toString());
    }
  }
}
