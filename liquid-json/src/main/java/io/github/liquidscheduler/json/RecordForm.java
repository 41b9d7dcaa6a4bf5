package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Retry;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a record: an object with a field for each component, in their order. What is
 * empty, of optional values, lists and maps, is left out, and so is a link that never limits and
 * that a stopped job may be started again at once.
 */
final class RecordForm {

  // An event calls the description of its job the job; a migration goes to its placement.
  private static final Map<String, String> NAMES = Map.of("spec", "job", "to", "placement");

  private static final String BYTES = "bytesPerIteration";

  private RecordForm() {}

  static <T> ObjectForm<T> of(Class<T> type) {
    RecordComponent[] components = type.getRecordComponents();
    Constructor<T> constructor = constructor(type, components);
    List<Field> fields = Stream.of(components).map(Field::of).toList();
    return new ObjectForm<>(
        in -> make(constructor, read(fields, in)), (out, value) -> write(fields, out, value));
  }

  private static void write(List<Field> fields, JsonOutput out, Object holder) {
    for (Field field : fields) {
      field.write(out, holder);
    }
  }

  private static <T> Constructor<T> constructor(Class<T> type, RecordComponent[] components) {
    try {
      return type.getDeclaredConstructor(
          Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object[] read(List<Field> fields, JsonFields in) {
    Object[] arguments = new Object[fields.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = fields.get(i).read(in, arguments[0]);
    }
    return arguments;
  }

  private static <T> T make(Constructor<T> constructor, Object[] arguments) {
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException refused
          ? refused
          : new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private record Field(
      String name,
      Class<?> type,
      Function<Object, Object> accessor,
      Form<Object> form,
      @Nullable Object absent) {

    static Field of(RecordComponent component) {
      Class<?> container = component.getType();
      Form<?> element =
          component.getName().equals(BYTES)
              ? QuantityJson.BYTES
              : Form.of(element(component.getGenericType()));
      if (container == Optional.class) {
        return field(component, element.optional(), Optional.empty());
      }
      if (container == OptionalLong.class) {
        Form<?> number = Form.LONG.as(OptionalLong::of, OptionalLong::getAsLong);
        return field(component, number, OptionalLong.empty());
      }
      if (container == List.class) {
        return field(component, element.list(), List.of());
      }
      if (container == Map.class) {
        return field(component, element.entries(), Map.of());
      }
      return field(component, element, absent(component));
    }

    /** Returns what a value that is left out is; null if it must not be. */
    private static @Nullable Object absent(RecordComponent component) {
      boolean isRetryOfStop =
          component.getType() == Retry.class
              && component.getDeclaringRecord() == ClusterEvent.JobStopped.class;
      return isRetryOfStop
          ? Retry.now()
          : component.getType() == Link.class ? Link.UNLIMITED : null;
    }

    @SuppressWarnings("unchecked") // What is read is put into the same component.
    private static Field field(RecordComponent component, Form<?> form, @Nullable Object absent) {
      String name = NAMES.getOrDefault(component.getName(), component.getName());
      return new Field(name, component.getType(), accessor(component), (Form<Object>) form, absent);
    }

    /** Returns a function that calls the accessor, which is faster than reflection. */
    @SuppressWarnings("unchecked") // The factory makes what it is told to.
    private static Function<Object, Object> accessor(RecordComponent component) {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      try {
        MethodHandle accessor = lookup.unreflect(component.getAccessor());
        MethodType function = MethodType.methodType(Function.class);
        return (Function<Object, Object>)
            LambdaMetafactory.metafactory(
                    lookup,
                    "apply",
                    function,
                    function.changeReturnType(Object.class).appendParameterTypes(Object.class),
                    accessor,
                    accessor.type().wrap())
                .getTarget()
                .invoke();
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    private static Class<?> element(Type type) {
      return type instanceof ParameterizedType generic
          ? (Class<?>) generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1]
          : (Class<?>) type;
    }

    /** Reads the component; a placement belongs to the job that is the first one. */
    Object read(JsonFields in, Object first) {
      if (type == Placement.class) {
        return in.required(name, tasks -> PlacementJson.read(tasks, (JobId) first));
      }
      return absent == null
          ? in.required(name, form.reader())
          : in.optional(name, form.reader()).orElse(absent);
    }

    void write(JsonOutput out, Object holder) {
      Object value = accessor.apply(holder);
      if (value instanceof Placement placement) {
        out.field(name, placement.tasks(), PlacementJson.TASKS);
      } else if (!value.equals(absent)) {
        out.field(name, value, form);
      }
    }
  }
}
