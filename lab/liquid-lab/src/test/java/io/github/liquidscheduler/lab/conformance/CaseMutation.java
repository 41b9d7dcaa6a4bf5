package io.github.liquidscheduler.lab.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Spoils a case in a few places: fields dropped, doubled, negative, huge, null or of a wrong type,
 * names that are hostile or meet those of other things, parents that form rings.
 */
final class CaseMutation {

  /** Ends the name of a field that comes twice. */
  static final String TWICE = "\0twice";

  private static final List<Double> NUMBERS =
      List.of(
          -1.0, -0.5, 0.0, 1e-300, 0.3, 1.5, 1e6, 2147483648.0, 4294967296.0, 1e15, 9.3e18, 1e308);
  private static final List<String> NAMES =
      List.of(
          "",
          " ",
          "\0",
          "a\nb",
          "\u2028",
          "\uD800",
          "held",
          "none",
          "default",
          "root",
          "node",
          "cluster",
          "__proto__",
          "empty",
          "n/a",
          "../x",
          "a/b",
          "worker",
          "part a",
          "x".repeat(9999));

  private final Random random;
  private final List<Consumer<Object>> places = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<Map<String, Object>> parents = new ArrayList<>();

  private CaseMutation(Random random) {
    this.random = random;
  }

  /** Returns a spoiled copy of a case. */
  static Map<String, Object> of(Map<String, Object> stated, Random random) {
    Map<String, Object> spoiled = copy(stated);
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times; i++) {
      CaseMutation mutation = new CaseMutation(random);
      mutation.visit(spoiled, List.of());
      mutation.spoil();
    }
    return spoiled;
  }

  @SuppressWarnings("unchecked") // The keys of JSON objects are texts.
  static Map<String, Object> copy(Map<String, Object> fields) {
    Map<String, Object> copy = new LinkedHashMap<>();
    fields.forEach((name, value) -> copy.put(name, copyOf(value)));
    return copy;
  }

  @SuppressWarnings("unchecked") // The keys of JSON objects are texts.
  private static Object copyOf(Object value) {
    if (value instanceof Map<?, ?> map) {
      return copy((Map<String, Object>) map);
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(each -> copy.add(copyOf(each)));
      return copy;
    }
    return value;
  }

  private void spoil() {
    if (!parents.isEmpty() && random.nextInt(8) == 0) {
      Map<String, Object> child = pick(parents);
      child.put(
          child.containsKey("cohort") ? "cohort" : "parent",
          pick(parents).getOrDefault("name", "a"));
      return;
    }
    pick(places).accept(this);
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  @SuppressWarnings("unchecked") // The keys of JSON objects are texts.
  private void visit(@Nullable Object value, List<String> path) {
    if (value instanceof Map<?, ?> map) {
      visitObject((Map<String, Object>) map, path);
    } else if (value instanceof List<?> list) {
      visitList((List<Object>) list, path);
    }
  }

  private void visitObject(Map<String, Object> map, List<String> path) {
    if (map.containsKey("parent") || map.containsKey("cohort") || path.equals(List.of("cohorts"))) {
      parents.add(map);
    }
    if (map.get("name") instanceof String name) {
      names.add(name);
    }
    for (String name : List.copyOf(map.keySet())) {
      if (path.isEmpty() && List.of("source", "title", "note", "features").contains(name)) {
        continue;
      }
      places.add(
          any -> {
            @Nullable Object old = map.get(name);
            switch (random.nextInt(8)) {
              case 0 -> map.remove(name);
              case 1 -> map.put(name + TWICE, other(old));
              case 2 -> map.put(name, null);
              default -> map.put(name, other(old));
            }
          });
      visit(map.get(name), path.isEmpty() ? List.of(name) : path);
    }
  }

  private void visitList(List<Object> list, List<String> path) {
    for (int i = 0; i < list.size(); i++) {
      int at = i;
      places.add(
          any -> {
            switch (random.nextInt(4)) {
              case 0 -> list.remove(at);
              case 1 -> list.add(copyOf(list.get(at)));
              default -> list.set(at, other(list.get(at)));
            }
          });
      visit(list.get(i), path);
    }
  }

  /** Returns something else: often of the same type, else of any. */
  private Object other(@Nullable Object old) {
    boolean sameType = random.nextInt(8) > 0;
    if (sameType && old instanceof Number number) {
      return random.nextInt(3) == 0 ? number.doubleValue() * 2 : pick(NUMBERS);
    }
    if (sameType && old instanceof String) {
      return random.nextBoolean() && !names.isEmpty() ? pick(names) : pick(NAMES);
    }
    if (sameType && old instanceof Boolean flag) {
      return !flag;
    }
    if (sameType && old != null) {
      return copyOf(old);
    }
    return switch (random.nextInt(6)) {
      case 0 -> pick(NUMBERS);
      case 1 -> pick(NAMES);
      case 2 -> random.nextBoolean();
      case 3 -> new ArrayList<>(List.of(pick(NAMES), pick(NUMBERS)));
      case 4 -> new LinkedHashMap<>(Map.of("name", pick(NAMES)));
      default -> new ArrayList<>();
    };
  }
}
