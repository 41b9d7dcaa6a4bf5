package io.github.liquidscheduler.lab.conformance.peer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of a case: its fields in the order of the file. The values are texts, doubles,
 * booleans, lists and maps of these; a field that is {@code null} is missing.
 *
 * @param fields the fields by name
 */
public record Facts(Map<String, Object> fields) {

  private static final double NO_END = -1;

  /** The object without fields. */
  public static final Facts NONE = new Facts(Map.of());

  /** Copies the fields. */
  public Facts {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Returns the facts in a value, which must be an object. */
  public static Facts of(@Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("must be an object, but was " + value);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach((name, field) -> fields.put(name.toString(), field));
    return new Facts(fields);
  }

  /** Returns whether a field is there. */
  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** Returns the names of the fields. */
  public Set<String> names() {
    return fields.keySet();
  }

  /** Returns a text that must be there. */
  public String text(String name) {
    return ifText(name).orElseThrow(() -> missing(name));
  }

  /** Returns a text, if it is there. */
  public Optional<String> ifText(String name) {
    return Optional.ofNullable(fields.get(name)).map(Object::toString);
  }

  /** Returns a number that must be there. */
  public double number(String name) {
    if (!has(name)) {
      throw missing(name);
    }
    return number(name, 0);
  }

  /** Returns a number, or what stands for it if it is missing. */
  public double number(String name, double byDefault) {
    Object value = fields.getOrDefault(name, byDefault);
    if (value instanceof Double number) {
      return number;
    }
    throw new IllegalArgumentException("'%s' must be a number, but was %s".formatted(name, value));
  }

  /** Returns an amount, infinite where -1 stands for no end; 0 if it is missing. */
  public double amount(String name) {
    double amount = number(name, 0);
    return amount == NO_END ? Double.POSITIVE_INFINITY : amount;
  }

  /** Returns a whole number, or what stands for it if it is missing. */
  public int count(String name, int byDefault) {
    return (int) number(name, byDefault);
  }

  /** Returns whether a field is true. */
  public boolean flag(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }

  /** Returns an object; one without fields if it is missing. */
  public Facts object(String name) {
    return has(name) ? of(fields.get(name)) : NONE;
  }

  /** Returns the elements of a list; none if it is missing. */
  public List<?> list(String name) {
    return fields.getOrDefault(name, List.of()) instanceof List<?> list ? list : List.of();
  }

  /** Returns the objects of a list; none if it is missing. */
  public List<Facts> objects(String name) {
    return list(name).stream().map(Facts::of).toList();
  }

  /** Returns the texts of a list; none if it is missing. */
  public List<String> texts(String name) {
    return list(name).stream().map(Object::toString).toList();
  }

  private IllegalArgumentException missing(String name) {
    return new IllegalArgumentException("a field '%s' is missing in %s".formatted(name, fields));
  }
}
