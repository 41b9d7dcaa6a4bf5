package io.github.liquidscheduler.json;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The ids that one entry of a cluster file stands for: a single one, or with {@code count} a
 * numbered group, in which groups of equal size may hang on owners that are numbered too.
 *
 * @param count how many there are
 * @param id the id of each, by its position from 0
 * @param owner the id of what each hangs on
 */
record IdGroup(int count, IntFunction<String> id, IntFunction<Optional<String>> owner) {

  /** The most entries that a group may stand for. */
  static final int MAX_COUNT = 1_000_000;

  /** The largest number in a numbered id: it has nine digits. */
  static final int MAX_NUMBER = 999_999_999;

  /** Reads the fields {@code count}, {@code id}, {@code first} and those of the owner. */
  static IdGroup from(JsonFields in, String ownerField) {
    if (!in.has("count")) {
      String id = in.required("id", JsonValue::text);
      Optional<String> owner = in.optional(ownerField, JsonValue::text);
      return new IdGroup(1, position -> id, position -> owner);
    }
    int count = in.required("count", value -> value.within(1, MAX_COUNT));
    IdPattern pattern = in.required("id", IdPattern::from);
    int first = in.optional("first", value -> value.within(0, MAX_NUMBER - count)).orElse(0);
    return new IdGroup(count, position -> pattern.at(first + position), owners(in, ownerField));
  }

  private static IntFunction<Optional<String>> owners(JsonFields in, String field) {
    Optional<String> text = in.optional(field, JsonValue::text);
    if (text.isEmpty() || text.get().indexOf('%') < 0) {
      return position -> text;
    }
    String suffix = field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
    IdPattern pattern = in.required(field, IdPattern::from);
    int size = in.required("per" + suffix, value -> value.within(1, MAX_COUNT));
    int first =
        in.optional("first" + suffix, value -> value.within(0, MAX_NUMBER - MAX_COUNT)).orElse(0);
    return position -> Optional.of(pattern.at(first + position / size));
  }
}
