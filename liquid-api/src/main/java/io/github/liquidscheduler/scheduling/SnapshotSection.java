package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.queue.QueueTree;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One part of a {@link SchedulerSnapshot}: named values, in order. A value is a {@link String}, a
 * {@link Long}, a finite {@link Double}, a {@link Boolean}, a {@link JobSpec}, a {@link Placement},
 * a {@link Workload}, a {@link QueueTree}, an {@link AdvanceReservation}, a {@link LearnedState},
 * another section, or a list of values. Whatever a scheduler may come to remember is made of these,
 * so that any snapshot can be written without being understood.
 *
 * @param values the values by their names
 */
public record SnapshotSection(Map<String, Object> values) {

  /**
   * Checks and copies the values, keeping their order.
   *
   * @throws IllegalArgumentException if a value is of another kind or not finite, or a name begins
   *     with {@code $}
   */
  public SnapshotSection {
    Map<String, Object> copy = new LinkedHashMap<>();
    values.forEach((name, value) -> copy.put(requireName(name), requireValue(name, value)));
    values = Collections.unmodifiableMap(copy);
  }

  /** Returns a builder of a section without values. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads the section. No value but those that {@code reader} asks for may be there.
   *
   * @throws IllegalArgumentException if the reader misses a value, or there is one too many
   */
  public <T> T read(Function<Reader, T> reader) {
    Reader values = new Reader(this.values);
    T result = reader.apply(values);
    values.refuseUnknown();
    return result;
  }

  /**
   * Lets {@code reader} read the section. No value but those that it asks for may be there.
   *
   * @throws IllegalArgumentException if the reader misses a value, or there is one too many
   */
  public void readAll(Consumer<Reader> reader) {
    Reader values = new Reader(this.values);
    reader.accept(values);
    values.refuseUnknown();
  }

  private static String requireName(String name) {
    if (name.startsWith("$")) {
      throw new IllegalArgumentException(
          "a name in a snapshot must not begin with '$', but was '" + name + "'");
    }
    return name;
  }

  private static Object requireValue(String name, Object value) {
    return switch (value) {
      case List<?> list -> list.stream().map(element -> requireValue(name, element)).toList();
      case Double number when !Double.isFinite(number) -> throw refuse(name, number);
      case String text -> text;
      case Long number -> number;
      case Double number -> number;
      case Boolean flag -> flag;
      case JobSpec job -> job;
      case Placement placement -> placement;
      case Workload workload -> workload;
      case QueueTree queues -> queues;
      case AdvanceReservation reservation -> reservation;
      case LearnedState learned -> learned;
      case SnapshotSection section -> section;
      default -> throw refuse(name, value);
    };
  }

  private static IllegalArgumentException refuse(String name, Object value) {
    return new IllegalArgumentException(
        "'%s' must be a value that a snapshot can hold, but was %s".formatted(name, value));
  }

  /** Builds a {@link SnapshotSection}. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Object> values = new LinkedHashMap<>();

    private Builder() {}

    /** Adds a value. */
    public Builder put(String name, Object value) {
      values.put(name, value);
      return this;
    }

    /** Adds an integer. */
    public Builder put(String name, long value) {
      return put(name, (Object) value);
    }

    /** Adds what a value says of itself: an id, an instant, a duration, a constant. */
    public Builder text(String name, Object value) {
      return put(name, value.toString());
    }

    /** Adds what a value says of itself, if there is one. */
    public Builder text(String name, Optional<?> value) {
      value.ifPresent(present -> text(name, present));
      return this;
    }

    /** Adds what each of some values says of itself, unless there is none. */
    public Builder texts(String name, Collection<?> values) {
      return list(name, values, Object::toString);
    }

    /** Adds a list, unless it is empty. */
    public <T> Builder list(String name, Collection<T> elements, Function<T, ?> value) {
      return elements.isEmpty() ? this : put(name, elements.stream().map(value).toList());
    }

    /** Returns the section. */
    public SnapshotSection build() {
      return new SnapshotSection(values);
    }
  }

  /** The values of a section, asked for by name. */
  public static final class Reader {
    private final Map<String, Object> values;
    private final Set<String> asked = new LinkedHashSet<>();

    private Reader(Map<String, Object> values) {
      this.values = values;
    }

    /**
     * Returns a value.
     *
     * @throws IllegalArgumentException if there is none, or it is of another kind
     */
    public <T> T value(String name, Class<T> kind) {
      return optional(name, kind).orElseThrow(() -> missing(name));
    }

    /**
     * Returns a value, if there is one.
     *
     * @throws IllegalArgumentException if it is of another kind
     */
    public <T> Optional<T> optional(String name, Class<T> kind) {
      return Optional.ofNullable(ask(name)).map(value -> cast(name, value, kind));
    }

    /**
     * Returns an integer that counts something.
     *
     * @throws IllegalArgumentException if there is none, or it is negative or too large
     */
    public int count(String name) {
      return count(name, value(name, Long.class));
    }

    /**
     * Returns the integers of a list, each of which counts something; empty if there is no list.
     *
     * @throws IllegalArgumentException if one is negative or too large
     */
    public List<Integer> counts(String name) {
      return list(name, Long.class, count -> count(name, count));
    }

    private static int count(String name, long count) {
      if (count < 0 || count > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            count < 0
                ? "'%s' must not be negative, but was %d".formatted(name, count)
                : "'%s' must be an integer of 32 bits, but was %d".formatted(name, count));
      }
      return (int) count;
    }

    /**
     * Returns an integer that counts something that may be very many.
     *
     * @throws IllegalArgumentException if there is none, or it is negative
     */
    public long longCount(String name) {
      long count = value(name, Long.class);
      if (count < 0) {
        throw new IllegalArgumentException(
            "'%s' must not be negative, but was %d".formatted(name, count));
      }
      return count;
    }

    /**
     * Returns a string as parsed by {@code parse}.
     *
     * @throws IllegalArgumentException if there is none, or {@code parse} refuses it
     */
    public <T> T text(String name, Function<String, T> parse) {
      return optionalText(name, parse).orElseThrow(() -> missing(name));
    }

    /**
     * Returns a string as parsed by {@code parse}, if there is one.
     *
     * @throws IllegalArgumentException if {@code parse} refuses it
     */
    public <T> Optional<T> optionalText(String name, Function<String, T> parse) {
      return optional(name, String.class).map(text -> parsed(name, text, parse));
    }

    /**
     * Returns the strings of a list as parsed by {@code parse}; empty if there is no list.
     *
     * @throws IllegalArgumentException if {@code parse} refuses one
     */
    public <T> List<T> texts(String name, Function<String, T> parse) {
      return list(name, String.class, text -> parsed(name, text, parse));
    }

    /**
     * Returns the values of a list as read by {@code reader}; empty if there is no list.
     *
     * @throws IllegalArgumentException if a value is of another kind
     */
    public <E, T> List<T> list(String name, Class<E> kind, Function<E, T> reader) {
      List<T> elements = new ArrayList<>();
      for (Object element : optional(name, List.class).orElse(List.of())) {
        elements.add(reader.apply(cast(name, Objects.requireNonNull(element), kind)));
      }
      return elements;
    }

    /** Returns the names of all values that are there. */
    public Set<String> names() {
      return values.keySet();
    }

    private @Nullable Object ask(String name) {
      asked.add(name);
      return values.get(name);
    }

    private void refuseUnknown() {
      for (String name : values.keySet()) {
        if (!asked.contains(name)) {
          throw new IllegalArgumentException(
              "a snapshot must hold what this version knows, but '%s' is none of %s"
                  .formatted(name, asked));
        }
      }
    }

    private static <T> T cast(String name, Object value, Class<T> kind) {
      if (!kind.isInstance(value)) {
        throw new IllegalArgumentException(
            "'%s' must be a %s, but was %s".formatted(name, kind.getSimpleName(), value));
      }
      return kind.cast(value);
    }

    private static <T> T parsed(String name, String text, Function<String, T> parse) {
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new IllegalArgumentException(
            "'%s' must be readable, but '%s' is not: %s".formatted(name, text, e.getMessage()), e);
      }
    }

    private static IllegalArgumentException missing(String name) {
      return new IllegalArgumentException("a snapshot must say '" + name + "', but does not");
    }
  }
}
