package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Instant;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How values of a type are read and written. Quantities and identities have a form of their own; a
 * record is an {@linkplain RecordForm object with a field for each component}, a sealed type
 * {@linkplain SealedForm one of its records}, and an enum the name of its constant.
 *
 * @param reader reads a value
 * @param writer writes a value
 */
record Form<T>(Function<JsonValue, T> reader, BiConsumer<JsonOutput, T> writer) {

  // Never iterated.
  private static final Map<Class<?>, Form<?>> OWN =
      Map.ofEntries(
          own(String.class, JsonValue::text, JsonOutput::text),
          own(int.class, JsonValue::integer, (out, value) -> out.number(value)),
          own(long.class, JsonValue::longInteger, (out, value) -> out.number(value)),
          own(double.class, JsonValue::number, (out, value) -> out.number(value)),
          own(boolean.class, JsonValue::flag, JsonOutput::flag),
          own(Instant.class, QuantityJson::instant, QuantityJson::instant),
          own(JobId.class, JobJson::id, JobJson::id),
          own(NodeId.class, PlacementJson::node, PlacementJson::node),
          own(GpuId.class, PlacementJson::gpu, PlacementJson::gpu),
          own(GpuModel.class, PlacementJson::model, PlacementJson::model),
          own(JobSpec.class, JobJson::read, JobJson::write),
          own(Node.class, NodeGroups::one, NodeGroups::one),
          own(Domain.class, DomainGroups::one, DomainGroups::write),
          own(Progress.class, ProgressJson::read, ProgressJson::write),
          own(BatchPlan.class, PlanJson::read, PlanJson::write));

  private static final ClassValue<Form<?>> FORMS =
      new ClassValue<>() {
        @Override
        protected Form<?> computeValue(Class<?> type) {
          @Nullable Form<?> own = OWN.get(type);
          return own == null ? byStructure(type) : own;
        }
      };

  /** Returns the form of a type. */
  @SuppressWarnings("unchecked") // The form is made from the type.
  static <T> Form<T> of(Class<T> type) {
    return (Form<T>) FORMS.get(type);
  }

  T read(JsonValue in) {
    return reader.apply(in);
  }

  void write(JsonOutput out, T value) {
    writer.accept(out, value);
  }

  private static <T> Map.Entry<Class<?>, Form<?>> own(
      Class<T> type, Function<JsonValue, T> reader, BiConsumer<JsonOutput, T> writer) {
    return Map.entry(type, new Form<>(reader, writer));
  }

  private static Form<?> byStructure(Class<?> type) {
    if (type.isEnum()) {
      return ofEnum(type);
    }
    return type.isSealed()
        ? new SealedForm<>(type).form()
        : new RecordForm<>(type.asSubclass(Record.class)).form();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The type is an enum's.
  private static Form<?> ofEnum(Class<?> type) {
    return names((Class) type);
  }

  private static <E extends Enum<E>> Form<E> names(Class<E> type) {
    return new Form<>(in -> in.oneOf(type), (out, value) -> out.text(value.name()));
  }
}
