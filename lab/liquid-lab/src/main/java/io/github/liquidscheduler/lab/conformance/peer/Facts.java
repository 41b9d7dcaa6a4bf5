package io.github.liquidscheduler.lab.conformance.peer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of a case: its fields in the order of the file. The values are texts, doubles,
 * booleans, lists and maps of these; a field that is {@code null} is missing. A field of another
 * type than is asked for is {@linkplain Refusal refused}.
 *
 * @param path where it lies in the case, such as {@code jobs[2].perTask}; empty for the whole case
 * @param fields the fields by name
 */
public record Facts(String path, Map<String, Object> fields) {

  private static final double NO_END = -1;

  /** The object without fields. */
  public static final Facts NONE = new Facts("", Map.of());

  /** Copies the fields. */
  public Facts {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Makes the facts of a whole case, or of what came of it. */
  public Facts(Map<String, Object> fields) {
    this("", fields);
  }

  /**
   * Returns the facts in a value, which must be an object.
   *
   * @throws Refusal if it is none
   */
  public static Facts of(@Nullable Object value) {
    return of("", value);
  }

  private static Facts of(String path, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw Refusal.of(path, "must be an object, but was " + value);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach((name, field) -> fields.put(name.toString(), field));
    return new Facts(path, fields);
  }

  /** Returns where a field lies in the case. */
  public String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
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
    return typed(name, String.class, "a text");
  }

  /** Returns a number that must be there. */
  public double number(String name) {
    return typed(name, Double.class, "a number").orElseThrow(() -> missing(name));
  }

  /** Returns a number, or what stands for it if it is missing. */
  public double number(String name, double byDefault) {
    return typed(name, Double.class, "a number").orElse(byDefault);
  }

  /** Returns an amount, infinite where -1 stands for no end; 0 if it is missing. */
  public double amount(String name) {
    double amount = number(name, 0);
    return amount == NO_END ? Double.POSITIVE_INFINITY : amount;
  }

  /** Returns a whole number, or what stands for it if it is missing. */
  public int count(String name, int byDefault) {
    double number = number(name, byDefault);
    if (number != (int) number) {
      throw refusal(name, "must be a whole number of 32 bits, but was " + number);
    }
    return (int) number;
  }

  /** Returns whether a field is true; false if it is missing. */
  public boolean flag(String name) {
    return typed(name, Boolean.class, "true or false").orElse(false);
  }

  /** Returns an object; one without fields if it is missing. */
  public Facts object(String name) {
    return has(name) ? of(at(name), fields.get(name)) : new Facts(at(name), Map.of());
  }

  /** Returns the elements of a list; none if it is missing. */
  public List<?> list(String name) {
    Optional<?> list = typed(name, List.class, "a list");
    return list.isPresent() && list.get() instanceof List<?> elements ? elements : List.of();
  }

  /** Returns the objects of a list; none if it is missing. */
  public List<Facts> objects(String name) {
    List<Facts> objects = new ArrayList<>();
    list(name).forEach(each -> objects.add(of(at(name) + "[" + objects.size() + "]", each)));
    return Collections.unmodifiableList(objects);
  }

  /** Returns the texts of a list; none if it is missing. */
  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object each : list(name)) {
      if (!(each instanceof String text)) {
        throw refusal(name, "must be a list of texts, but has " + each);
      }
      texts.add(text);
    }
    return Collections.unmodifiableList(texts);
  }

  /**
   * Returns what is made of each object of a list.
   *
   * @throws Refusal if one is refused; its field is the object's unless it names one itself
   */
  public <T> List<T> each(String name, Function<Facts, T> made) {
    return objects(name).stream().map(object -> object.reading(() -> made.apply(object))).toList();
  }

  /**
   * Returns what is made of these facts.
   *
   * @throws Refusal if they are refused; its field is this object unless it names one itself
   */
  public <T> T reading(Supplier<T> made) {
    return Refusal.locating(path, made);
  }

  /**
   * Returns what is made of a field.
   *
   * @throws Refusal if it is refused; its field is this one unless it names another itself
   */
  public <T> T reading(String name, Supplier<T> made) {
    return Refusal.locating(at(name), made);
  }

  /**
   * Requires that no two objects of a list have the same name.
   *
   * @throws Refusal if two have
   */
  public void requireDistinct(String name) {
    Set<String> names = new LinkedHashSet<>();
    for (Facts each : objects(name)) {
      String own = each.text("name");
      if (!names.add(own)) {
        throw each.refusal("name", "must be that of one only, but is '%s' twice".formatted(own));
      }
    }
  }

  /**
   * Requires that there are no fields but some.
   *
   * @throws Refusal if there is another, which a case may state and we have no word for
   */
  public void requireOnly(String owner, List<String> known) {
    for (String field : names()) {
      if (!known.contains(field)) {
        throw Refusal.of(path, "%s cannot have a '%s'".formatted(owner, field));
      }
    }
  }

  /** Returns the refusal of a field. */
  public Refusal refusal(String name, String rule) {
    return Refusal.of(at(name), rule);
  }

  private <T> Optional<T> typed(String name, Class<T> type, String words) {
    @Nullable Object value = fields.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!type.isInstance(value)) {
      throw refusal(name, "must be %s, but was %s".formatted(words, value));
    }
    return Optional.of(type.cast(value));
  }

  private Refusal missing(String name) {
    return refusal(name, "is missing");
  }
}
