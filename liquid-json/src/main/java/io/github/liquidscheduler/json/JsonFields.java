package io.github.liquidscheduler.json;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fields of one JSON object. It remembers which were asked for, so that typos are found. */
final class JsonFields {

  private final JsonValue object;
  private final Map<String, JsonValue> members;
  private final Set<String> asked = new LinkedHashSet<>();

  JsonFields(JsonValue object, Map<String, JsonValue> members) {
    this.object = object;
    this.members = members;
  }

  <T> T required(String name, Function<JsonValue, T> mapping) {
    JsonValue value = ask(name);
    if (value == null) {
      throw refuseFields("the field '" + name + "' is missing");
    }
    return value.at(() -> mapping.apply(value));
  }

  <T> Optional<T> optional(String name, Function<JsonValue, T> mapping) {
    JsonValue value = ask(name);
    return value == null ? Optional.empty() : Optional.of(value.at(() -> mapping.apply(value)));
  }

  boolean has(String name) {
    return ask(name) != null;
  }

  /** Returns the field {@code type}, which decides how the others are read. */
  String type() {
    return required("type", JsonValue::text);
  }

  JsonFormatException unknownType(Collection<String> known) {
    JsonValue type = members.getOrDefault("type", object);
    return type.expected("one of " + known);
  }

  /** Refuses with what is there, so that a name that was mistyped is seen. */
  JsonFormatException refuseFields(String rule) {
    return refuse(rule + "; the fields here are " + members.keySet());
  }

  JsonFormatException refuse(String rule) {
    return object.refuse(rule);
  }

  void refuseUnknown() {
    for (Map.Entry<String, JsonValue> member : members.entrySet()) {
      if (!asked.contains(member.getKey())) {
        throw member
            .getValue()
            .refuse("unknown field '%s'; known are %s".formatted(member.getKey(), asked));
      }
    }
  }

  private @Nullable JsonValue ask(String name) {
    asked.add(name);
    return members.get(name);
  }
}
