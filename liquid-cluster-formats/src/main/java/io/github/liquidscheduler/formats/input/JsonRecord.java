package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One object of a JSON text: its values by name. Numbers are read as text. */
public final class JsonRecord {

  private final String source;
  private final int line;
  private final Map<String, @Nullable Object> members;

  JsonRecord(String source, int line, Map<String, @Nullable Object> members) {
    this.source = source;
    this.line = line;
    this.members = members;
  }

  /** Returns the line on which the outermost object starts, from 1. */
  public int line() {
    return line;
  }

  /** Returns the text and the line on which the outermost object starts. */
  public String place() {
    return source + ":" + line;
  }

  /** Returns a text or number that must be there. */
  public String text(String name) {
    return optionalText(name).orElseThrow(() -> error(name, "must be there, but is not"));
  }

  /** Returns a text or number; empty if it is not there, null or blank. */
  public Optional<String> optionalText(String name) {
    Object value = members.get(name);
    if (value instanceof Map<?, ?> || value instanceof List<?>) {
      throw error(name, "must be a text or a number, but is not");
    }
    return Optional.ofNullable(value)
        .map(Object::toString)
        .map(String::strip)
        .filter(t -> !t.isEmpty());
  }

  /** Returns the first of these texts or numbers that is there; empty if none is. */
  public Optional<String> firstText(List<String> names) {
    return names.stream().flatMap(name -> optionalText(name).stream()).findFirst();
  }

  /** Returns an amount as Kubernetes writes it; empty if it is not there, null or blank. */
  public Optional<BigDecimal> quantity(String name) {
    return optionalText(name)
        .map(
            text ->
                KubernetesQuantity.parse(text)
                    .orElseThrow(
                        () ->
                            error(
                                name, "must be an amount such as 500m or 64Gi, but was " + text)));
  }

  /** Returns the object called {@code name}; one without members if it is not there or null. */
  public JsonRecord object(String name) {
    Object value = members.get(name);
    return value == null ? new JsonRecord(source, line, Map.of()) : record(name, value);
  }

  /** Returns the objects of the array called {@code name}; none if it is not there or null. */
  public List<JsonRecord> objects(String name) {
    return elements(name).stream().map(each -> record(name, each)).toList();
  }

  /** Returns the texts and numbers of the array {@code name}; none if it is not there or null. */
  public List<String> texts(String name) {
    return elements(name).stream()
        .filter(each -> !(each instanceof Map<?, ?> || each instanceof List<?>))
        .map(String::valueOf)
        .toList();
  }

  /** Returns the number of elements of the array {@code name}; 0 if it is not there or null. */
  public int count(String name) {
    return elements(name).size();
  }

  /** Returns the names of all members, in the order of the text. */
  public List<String> names() {
    return List.copyOf(members.keySet());
  }

  /** Returns an exception about a rule broken by the value called {@code name}. */
  public InputFormatException error(String name, String rule) {
    return new InputFormatException("%s:%d: '%s' %s".formatted(source, line, name, rule));
  }

  private List<?> elements(String name) {
    Object value = members.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw error(name, "must be an array, but is not");
  }

  @SuppressWarnings("unchecked") // JsonRecords makes no other maps.
  private JsonRecord record(String name, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return new JsonRecord(source, line, (Map<String, @Nullable Object>) map);
    }
    throw error(name, "must be an object, but is not");
  }
}
