package io.github.liquidscheduler.json;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a sealed type: one of its records, with the record's name as its field {@code
 * type}.
 */
final class SealedForm<T> {

  private final Class<T> type;
  private final Map<String, RecordForm<?>> records = new LinkedHashMap<>();

  SealedForm(Class<T> type) {
    this.type = type;
    add(type);
  }

  Form<T> form() {
    return new Form<>(in -> in.object(this::read), this::write);
  }

  T read(JsonFields in) {
    @Nullable RecordForm<?> record = records.get(in.type());
    if (record == null) {
      throw in.unknownType(records.keySet().toArray(String[]::new));
    }
    return type.cast(record.read(in));
  }

  private void write(JsonOutput out, T value) {
    String name = nameOf(value.getClass());
    @Nullable RecordForm<?> record = records.get(name);
    if (record == null) {
      throw new IllegalArgumentException("not one of " + records.keySet() + ": " + value);
    }
    out.object(
        () -> {
          out.field("type", name);
          record.write(out, value);
        });
  }

  private void add(Class<?> sealed) {
    Stream.of(sealed.getPermittedSubclasses())
        .forEach(
            permitted -> {
              if (permitted.isRecord()) {
                records.put(
                    nameOf(permitted), new RecordForm<>(permitted.asSubclass(Record.class)));
              } else {
                add(permitted);
              }
            });
  }

  private static String nameOf(Class<?> record) {
    String name = record.getSimpleName();
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
