package io.github.liquidscheduler.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A JSON value that knows where it stood. Mapping code asks it for what it should be; if it is not,
 * the error names the place. The content is a map, a list, a string, a {@link Numeral}, a boolean
 * or {@link #NULL}.
 */
record JsonValue(JsonPlace place, Object content) {

  /** The content of {@code null}. */
  static final Object NULL = new Object();

  /** A number as it was written. */
  record Numeral(String text, boolean integral) {}

  /** Reads an object: no field but those that {@code mapping} asks for may be there. */
  <T> T object(Function<JsonFields, T> mapping) {
    JsonFields fields = new JsonFields(this, members());
    T value = at(() -> mapping.apply(fields));
    fields.refuseUnknown();
    return value;
  }

  /** Reads an object whose field names are data. */
  <T> Map<String, T> entries(Function<JsonValue, T> mapping) {
    Map<String, T> entries = new LinkedHashMap<>();
    members().forEach((name, value) -> entries.put(name, value.at(() -> mapping.apply(value))));
    return entries;
  }

  /** Reads an array. */
  <T> List<T> array(Function<JsonValue, T> mapping) {
    if (!(content instanceof List<?> elements)) {
      throw expected("an array");
    }
    List<T> values = new ArrayList<>(elements.size());
    for (Object element : elements) {
      JsonValue value = (JsonValue) element;
      values.add(value.at(() -> mapping.apply(value)));
    }
    return values;
  }

  /** Reads the elements of an array one by one; returns their number. */
  int each(Consumer<JsonValue> reader) {
    return array(
            element -> {
              reader.accept(element);
              return element;
            })
        .size();
  }

  /** Runs code that checks what was read here, and gives its messages this place. */
  <T> T at(Supplier<T> code) {
    try {
      return code.get();
    } catch (JsonFormatException e) {
      throw e;
    } catch (IllegalArgumentException | ArithmeticException e) {
      JsonFormatException located = refuse(String.valueOf(e.getMessage()));
      located.initCause(e);
      throw located;
    }
  }

  boolean isObject() {
    return content instanceof Map;
  }

  boolean isText() {
    return content instanceof String;
  }

  String text() {
    if (content instanceof String text) {
      return text;
    }
    throw expected("a string");
  }

  boolean flag() {
    if (content instanceof Boolean flag) {
      return flag;
    }
    throw expected("true or false");
  }

  int integer() {
    long value = longInteger();
    if (value != (int) value) {
      throw expected("an integer of 32 bits");
    }
    return (int) value;
  }

  long longInteger() {
    if (!(content instanceof Numeral number && number.integral())) {
      throw expected("an integer");
    }
    BigInteger value = new BigInteger(number.text());
    if (value.bitLength() > 63) {
      throw expected("an integer of 64 bits");
    }
    return value.longValue();
  }

  /** Reads an integer from {@code min} to {@code max}. */
  int within(int min, int max) {
    int value = integer();
    if (value < min || value > max) {
      throw expected("from " + min + " to " + max);
    }
    return value;
  }

  double number() {
    double value = Double.parseDouble(numeral().text());
    if (Double.isInfinite(value)) {
      throw expected("a number that a double can hold");
    }
    return value;
  }

  BigDecimal decimal() {
    try {
      return new BigDecimal(numeral().text());
    } catch (NumberFormatException e) {
      throw expected("a number with a smaller exponent");
    }
  }

  <E> E oneOf(Class<E> type) {
    String name = text();
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals(name))
        .findFirst()
        .orElseThrow(() -> expected("one of " + Arrays.toString(type.getEnumConstants())));
  }

  JsonFormatException refuse(String rule) {
    return place.refuse(rule);
  }

  /** Returns the message that this should have been {@code what}. */
  JsonFormatException expected(String what) {
    return refuse("must be " + what + ", but was " + describe());
  }

  private Numeral numeral() {
    if (content instanceof Numeral number) {
      return number;
    }
    throw expected("a number");
  }

  @SuppressWarnings("unchecked") // The reader puts nothing else into the map.
  private Map<String, JsonValue> members() {
    if (content instanceof Map) {
      return (Map<String, JsonValue>) content;
    }
    throw expected("an object");
  }

  private String describe() {
    if (content == NULL) {
      return "null";
    }
    return switch (content) {
      case Map<?, ?> members -> "an object";
      case List<?> elements -> "an array";
      case String text -> "\"" + text + "\"";
      case Numeral number -> number.text();
      default -> content.toString();
    };
  }
}
