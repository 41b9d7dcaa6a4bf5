package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of each type. Quantities, identities and what has a builder have a form of their own; a
 * record is an {@linkplain RecordForm object with a field for each component}, a sealed type
 * {@linkplain SealedForm one of its records}, and an enum the name of its constant.
 */
final class Forms {

  private static final String ROUNDS = "io.github.liquidscheduler.rounds";

  // Never iterated.
  private static final Map<Class<?>, Form<?>> OWN =
      Map.ofEntries(
          Map.entry(String.class, Form.TEXT),
          Map.entry(int.class, Form.INTEGER),
          Map.entry(Integer.class, Form.INTEGER),
          Map.entry(long.class, Form.LONG),
          Map.entry(double.class, Form.NUMBER),
          Map.entry(Double.class, Form.NUMBER),
          Map.entry(boolean.class, Form.FLAG),
          Map.entry(Memory.class, QuantityJson.MEMORY),
          Map.entry(Bandwidth.class, QuantityJson.BANDWIDTH),
          Map.entry(Link.class, QuantityJson.LINK),
          Map.entry(Duration.class, QuantityJson.DURATION),
          Map.entry(Instant.class, QuantityJson.INSTANT),
          Map.entry(GpuModel.class, Form.TEXT.as(GpuModel::of, GpuModel::name)),
          Map.entry(JobId.class, Form.TEXT.as(JobId::of, JobId::value)),
          Map.entry(NodeId.class, Form.TEXT.as(NodeId::of, NodeId::value)),
          Map.entry(DomainId.class, Form.TEXT.as(DomainId::of, DomainId::value)),
          Map.entry(GpuId.class, PlacementJson.GPU),
          Map.entry(TaskId.class, PlacementJson.TASK),
          Map.entry(Workload.class, JobJson.WORKLOAD),
          Map.entry(ResourceRequest.class, RoleJson.REQUEST),
          Map.entry(TaskRole.class, RoleJson.ROLE),
          Map.entry(RoleGroup.class, RoleJson.GROUP),
          Map.entry(JobSpec.class, JobJson.JOB),
          Map.entry(Node.class, NodeGroups.NODE),
          Map.entry(ClusterTopology.class, TopologyJson.CLUSTER),
          Map.entry(Retry.class, RetryJson.RETRY),
          Map.entry(BatchPlan.class, PlanJson.PLAN),
          Map.entry(QueueTree.class, QueueJson.TREE),
          Map.entry(ReservationId.class, Form.TEXT.as(ReservationId::of, ReservationId::value)),
          Map.entry(QueueName.class, Form.TEXT.as(QueueName::of, QueueName::value)),
          Map.entry(SnapshotSection.class, SnapshotJson.SECTION));

  private static final ClassValue<Form<?>> FORMS =
      new ClassValue<>() {
        @Override
        protected Form<?> computeValue(Class<?> type) {
          Form<?> own = own(type);
          return own == null ? byStructure(type) : own;
        }
      };

  private Forms() {}

  @SuppressWarnings("unchecked") // The form is made from the type.
  static <T> Form<T> of(Class<T> type) {
    return (Form<T>) FORMS.get(type);
  }

  /** Returns the form of an object that is one kind of several. */
  static ObjectForm<?> object(Class<?> type) {
    return type == Decision.RequestPlan.class ? PlanJson.REQUEST : RecordForm.of(type);
  }

  /** Loads the forms of rounds for types of rounds only, because their module is optional. */
  private static @Nullable Form<?> own(Class<?> type) {
    return type.getPackageName().equals(ROUNDS) ? RoundJson.FORMS.get(type) : OWN.get(type);
  }

  private static Form<?> byStructure(Class<?> type) {
    if (type.isEnum()) {
      return constants(type);
    }
    return (type.isSealed() ? SealedForm.of(type) : object(type)).form();
  }

  private static <E> Form<E> constants(Class<E> type) {
    return new Form<>(in -> in.oneOf(type), (out, value) -> out.text(((Enum<?>) value).name()));
  }
}
