package io.github.liquidscheduler.json;

import io.github.liquidscheduler.text.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The reader and the writer of values of a type. */
record Form<T>(Function<JsonValue, T> reader, BiConsumer<JsonOutput, T> writer) {

  static final Form<String> TEXT = new Form<>(JsonValue::text, JsonOutput::text);
  static final Form<Integer> INTEGER = new Form<>(JsonValue::integer, JsonOutput::number);
  static final Form<Long> LONG = new Form<>(JsonValue::longInteger, JsonOutput::number);
  static final Form<Double> NUMBER = new Form<>(JsonValue::number, JsonOutput::number);
  static final Form<Boolean> FLAG = new Form<>(JsonValue::flag, JsonOutput::flag);

  /** Returns the form of a type. It is looked up only when it is used: a type may hold itself. */
  static <T> Form<T> of(Class<T> type) {
    return new Form<>(
        in -> Forms.of(type).reader.apply(in),
        (out, value) -> Forms.of(type).writer.accept(out, value));
  }

  T read(JsonValue in) {
    return reader.apply(in);
  }

  void write(JsonOutput out, T value) {
    writer.accept(out, value);
  }

  /** Returns the form of values that are written as one of {@code T} each. */
  <U> Form<U> as(Function<T, U> read, Function<U, T> written) {
    return new Form<>(
        reader.andThen(read), (out, value) -> writer.accept(out, written.apply(value)));
  }

  /** Returns the form of values that are there. */
  Form<Optional<T>> optional() {
    return as(Optional::of, Optional::orElseThrow);
  }

  /** Returns the form of arrays of such values. */
  Form<List<T>> list() {
    return new Form<>(in -> in.array(reader), (out, values) -> out.array(values, writer));
  }

  /** Returns the form of objects whose field names are data. */
  Form<Map<String, T>> entries() {
    return new Form<>(
        in -> in.entries(reader),
        (out, values) ->
            out.object(
                () ->
                    values.forEach(
                        (name, value) -> out.field(Text.require(name, "a name"), value, this))));
  }
}
