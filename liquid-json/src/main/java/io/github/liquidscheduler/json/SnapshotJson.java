package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
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

  private static final List<Kind<?>> KINDS =
      List.of(
          Kind.of("$job", JobSpec.class),
          Kind.of("$placement", Placement.class),
          Kind.of("$workload", Workload.class),
          Kind.of("$queues", QueueTree.class),
          Kind.of("$reservation", AdvanceReservation.class),
          Kind.of("$learned", LearnedState.class));

  /** A kind of values of the API, and the name that an object holds it by. */
  private record Kind<T>(String name, Class<T> type, Form<T> form) {
    static <T> Kind<T> of(String name, Class<T> type) {
      return new Kind<>(name, type, Form.of(type));
    }

    T read(JsonFields in) {
      return in.required(name, form.reader());
    }

    void write(JsonOutput out, Object value) {
      out.object(() -> out.field(name, type.cast(value), form));
    }
  }

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
    return KINDS.stream()
        .filter(kind -> in.has(kind.name))
        .findFirst()
        .orElse(KINDS.getFirst())
        .read(in);
  }

  private static void value(JsonOutput out, Object value) {
    switch (value) {
      case Long number -> out.number(number);
      case Double number -> out.number(number);
      case Boolean flag -> out.flag(flag);
      case List<?> elements -> out.array(elements, SnapshotJson::value);
      case SnapshotSection section -> SECTION.write(out, section);
      case String text -> out.text(text);
      default -> kindOf(value).write(out, value);
    }
  }

  private static Kind<?> kindOf(Object value) {
    return KINDS.stream().filter(kind -> kind.type.isInstance(value)).findFirst().orElseThrow();
  }
}
