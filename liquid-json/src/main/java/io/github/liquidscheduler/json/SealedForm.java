package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.AdvanceReservation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The JSON form of a sealed type: one of its records, with its name as the field {@code type}. */
final class SealedForm {

  private SealedForm() {}

  static <T> ObjectForm<T> of(Class<T> type) {
    Map<String, ObjectForm<T>> kinds = new LinkedHashMap<>();
    // Never iterated.
    Map<Class<?>, String> names = new HashMap<>();
    add(type, kinds, names);
    return new ObjectForm<>(
        in -> read(kinds, in),
        (out, value) -> {
          String name = Objects.requireNonNull(names.get(value.getClass()));
          out.field("type", name, Form.TEXT);
          Objects.requireNonNull(kinds.get(name), name).writer().accept(out, value);
        });
  }

  private static <T> T read(Map<String, ObjectForm<T>> kinds, JsonFields in) {
    ObjectForm<T> kind = kinds.get(in.type());
    if (kind == null) {
      throw in.unknownType(kinds.keySet());
    }
    return kind.reader().apply(in);
  }

  @SuppressWarnings("unchecked") // What a sealed type permits extends it.
  private static <T> void add(
      Class<?> sealed, Map<String, ObjectForm<T>> kinds, Map<Class<?>, String> names) {
    for (Class<?> permitted : sealed.getPermittedSubclasses()) {
      if (permitted.isSealed()) {
        add(permitted, kinds, names);
      } else {
        names.put(permitted, nameOf(permitted));
        kinds.put(nameOf(permitted), (ObjectForm<T>) Forms.object(permitted));
      }
    }
  }

  private static String nameOf(Class<?> type) {
    // The format keeps its first name.
    if (type == AdvanceReservation.Capacity.class) {
      return "room";
    }
    String name = type.getSimpleName();
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
