package io.github.liquidscheduler.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The reader and the writer of a type's values as the fields of an object. */
record ObjectForm<T>(Function<JsonFields, T> reader, BiConsumer<JsonOutput, T> writer) {

  Form<T> form() {
    return new Form<>(
        in -> in.object(reader), (out, value) -> out.object(() -> writer.accept(out, value)));
  }

  /** Returns the form of values that are written as one of {@code T} each. */
  <U> ObjectForm<U> as(Function<T, U> read, Function<U, T> written) {
    return new ObjectForm<>(
        reader.andThen(read), (out, value) -> writer.accept(out, written.apply(value)));
  }

  /**
   * Says each field once, for reading and for writing, in the order in which they are written.
   *
   * @param <T> the type of the values
   * @param <B> what a value is read into, such as its builder
   */
  static final class Fields<T, B> {
    private final Function<JsonFields, B> start;
    private final List<BiFunction<JsonFields, B, B>> readers = new ArrayList<>();
    private final List<BiConsumer<JsonOutput, T>> writers = new ArrayList<>();

    /** Starts from what {@code start} makes, which may look at the fields first. */
    Fields(Function<JsonFields, B> start) {
      this.start = start;
    }

    /** Starts from what {@code start} makes of the first field. */
    <V> Fields(String name, Form<V> form, Function<T, V> value, Function<V, B> start) {
      this(in -> in.required(name, field -> start.apply(form.read(field))));
      writers.add((out, holder) -> out.field(name, value.apply(holder), form));
    }

    /** Adds fields with a rule of their own. */
    Fields<T, B> with(BiFunction<JsonFields, B, B> reader, BiConsumer<JsonOutput, T> writer) {
      readers.add(reader);
      writers.add(writer);
      return this;
    }

    /** Adds a field that is there if there is a value. */
    <V> Fields<T, B> optional(
        String name, Form<V> form, Function<T, Optional<V>> value, BiFunction<B, V, B> set) {
      return with(
          reader(name, form, set),
          (out, holder) -> value.apply(holder).ifPresent(there -> out.field(name, there, form)));
    }

    /** Adds a field that is left out if it holds its default. */
    <V> Fields<T, B> optional(
        String name, Form<V> form, Function<T, V> value, V byDefault, BiFunction<B, V, B> set) {
      return with(
          reader(name, form, set),
          (out, holder) -> out.field(name, value.apply(holder), byDefault, form));
    }

    /** Adds an object of strings that is left out if it is empty. */
    Fields<T, B> strings(
        String name, Function<T, Map<String, String>> value, EntrySetter<B> setter) {
      return optional(
          name,
          Form.TEXT.entries(),
          value,
          Map.of(),
          (into, entries) -> {
            entries.forEach((key, text) -> setter.set(into, key, text));
            return into;
          });
    }

    /** Returns the form of what {@code finish} makes. */
    ObjectForm<T> build(Function<B, T> finish) {
      return new ObjectForm<>(
          in -> finish.apply(read(in)),
          (out, value) -> writers.forEach(writer -> writer.accept(out, value)));
    }

    private static <B, V> BiFunction<JsonFields, B, B> reader(
        String name, Form<V> form, BiFunction<B, V, B> set) {
      return (in, into) ->
          in.optional(name, field -> set.apply(into, form.read(field))).orElse(into);
    }

    private B read(JsonFields in) {
      B into = start.apply(in);
      for (BiFunction<JsonFields, B, B> reader : readers) {
        into = reader.apply(in, into);
      }
      return into;
    }
  }

  /** A builder's method that takes a name and a value. */
  interface EntrySetter<B> {
    B set(B builder, String name, String value);
  }
}
