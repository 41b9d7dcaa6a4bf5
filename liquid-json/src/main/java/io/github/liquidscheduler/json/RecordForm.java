package io.github.liquidscheduler.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The JSON form of a record: an object with a field for each component, in their order. What is
 * empty, of optional values and lists, is left out.
 */
final class RecordForm<T extends Record> {

  private final Constructor<T> constructor;
  private final List<Field> fields;

  RecordForm(Class<T> type) {
    RecordComponent[] components = type.getRecordComponents();
    try {
      constructor =
          type.getConstructor(
              Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a record must be public, but " + type + " is not", e);
    }
    fields = Stream.of(components).map(Field::of).toList();
  }

  Form<T> form() {
    return new Form<>(
        in -> in.object(this::read), (out, value) -> out.object(() -> write(out, value)));
  }

  T read(JsonFields in) {
    Object[] arguments = fields.stream().map(field -> field.read(in)).toArray();
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw unchecked(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  void write(JsonOutput out, Object value) {
    fields.forEach(field -> field.write(out, value));
  }

  private static RuntimeException unchecked(InvocationTargetException e) {
    return e.getCause() instanceof RuntimeException refused
        ? refused
        : new IllegalStateException(e);
  }

  /** A component: how often its element is there, and of which type that is. */
  private record Field(String name, Method accessor, Class<?> container, Class<Object> element) {

    @SuppressWarnings("unchecked") // What is read is put into the same component.
    static Field of(RecordComponent component) {
      Type type = component.getGenericType();
      Type element =
          type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : type;
      // An event calls the description of its job the job.
      String name = component.getName().equals("spec") ? "job" : component.getName();
      return new Field(name, component.getAccessor(), component.getType(), (Class<Object>) element);
    }

    Object read(JsonFields in) {
      Form<Object> form = Form.of(element);
      if (container == Optional.class) {
        return in.optional(name, form.reader());
      }
      return container == List.class
          ? in.list(name, form.reader())
          : in.required(name, form.reader());
    }

    void write(JsonOutput out, Object holder) {
      Form<Object> form = Form.of(element);
      Object value = valueIn(holder);
      if (value instanceof Optional<?> optional) {
        optional.ifPresent(there -> out.field(name, (Object) there, form.writer()));
      } else if (value instanceof List<?> list) {
        out.list(name, List.<Object>copyOf(list), form.writer());
      } else {
        out.field(name, value, form.writer());
      }
    }

    private Object valueIn(Object holder) {
      try {
        return accessor.invoke(holder);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
