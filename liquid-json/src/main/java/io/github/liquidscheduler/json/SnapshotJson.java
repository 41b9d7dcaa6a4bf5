package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Map;

/**
 * The JSON form of a scheduler's state, whatever its sections hold. A value of the API stands in an
 * object of its own, under the name of its kind: {@code {"$job": …}}.
 */
final class SnapshotJson {

  private static final String JOB = "$job";
  private static final String PLACEMENT = "$placement";
  private static final String WORKLOAD = "$workload";

  private SnapshotJson() {}

  static SchedulerSnapshot read(JsonValue in) {
    return in.object(
        fields ->
            new SchedulerSnapshot(
                fields.required("version", JsonValue::integer),
                fields.required("now", QuantityJson::instant),
                fields.required("sections", value -> value.entries(SnapshotJson::section))));
  }

  static void write(JsonOutput out, SchedulerSnapshot snapshot) {
    out.object(
        () -> {
          out.field("version", snapshot.version());
          out.field("now", snapshot.now(), QuantityJson::instant);
          out.name("sections")
              .object(
                  () ->
                      snapshot
                          .sections()
                          .forEach(
                              (name, section) -> out.field(name, section, SnapshotJson::section)));
        });
  }

  private static SnapshotSection section(JsonValue in) {
    return new SnapshotSection(in.entries(SnapshotJson::value));
  }

  private static void section(JsonOutput out, SnapshotSection section) {
    out.object(
        () ->
            section.values().forEach((name, value) -> out.field(name, value, SnapshotJson::value)));
  }

  private static Object value(JsonValue in) {
    return switch (in.content()) {
      case String text -> text;
      case Boolean flag -> flag;
      case JsonValue.Numeral number when number.integral() -> in.longInteger();
      case JsonValue.Numeral number -> in.number();
      case List<?> elements -> in.array(SnapshotJson::value);
      case Map<?, ?> members when isOfTheApi(members) -> in.object(SnapshotJson::ofTheApi);
      default -> section(in);
    };
  }

  private static boolean isOfTheApi(Map<?, ?> members) {
    return members.keySet().stream().anyMatch(name -> name.toString().startsWith("$"));
  }

  private static Object ofTheApi(JsonFields in) {
    if (in.has(JOB)) {
      return in.required(JOB, JobJson::read);
    }
    return in.has(PLACEMENT)
        ? in.required(PLACEMENT, value -> value.object(SnapshotJson::placement))
        : in.required(WORKLOAD, WorkloadJson::read);
  }

  private static Placement placement(JsonFields in) {
    JobId job = in.required("job", JobJson::id);
    return in.required("tasks", tasks -> PlacementJson.read(tasks, job));
  }

  private static void placement(JsonOutput out, Placement placement) {
    out.object(
        () -> {
          out.field("job", placement.job(), JobJson::id);
          out.field("tasks", placement, PlacementJson::write);
        });
  }

  private static void value(JsonOutput out, Object value) {
    switch (value) {
      case Long number -> out.number(number);
      case Double number -> out.number(number);
      case Boolean flag -> out.flag(flag);
      case List<?> elements -> out.array(elements, SnapshotJson::value);
      case SnapshotSection section -> section(out, section);
      case JobSpec job -> out.object(() -> out.field(JOB, job, JobJson::write));
      case Placement place ->
          out.object(() -> out.field(PLACEMENT, place, SnapshotJson::placement));
      case Workload workload ->
          out.object(() -> out.field(WORKLOAD, workload, WorkloadJson::write));
      default -> out.text(value.toString());
    }
  }
}
