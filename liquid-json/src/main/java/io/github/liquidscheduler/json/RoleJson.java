package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import java.util.List;

/** The JSON form of how large a job is: its roles, what their tasks demand, and other sizes. */
final class RoleJson {

  private RoleJson() {}

  /** Reads {@code roles}, or {@code gpus} for that many workers of one GPU each. */
  static List<TaskRole> readSize(JsonFields in) {
    if (in.has("gpus") == in.has("roles")) {
      throw in.refuse("a job must have either the field 'gpus' or the field 'roles'");
    }
    return in.has("gpus")
        ? in.required("gpus", value -> List.<TaskRole>of(workers(value.integer())))
        : in.required("roles", RoleJson::roles);
  }

  static void writeSize(JsonOutput out, JobSpec job) {
    TaskRole first = job.roles().get(0);
    if (job.roles().size() == 1 && first.equals(workers(first.count()))) {
      out.field("gpus", first.count());
    } else {
      out.list("roles", job.roles(), RoleJson::role);
    }
    if (job.parallelism().isElastic()) {
      out.field("parallelism", job.parallelism(), RoleJson::parallelism);
    }
  }

  /** Reads the sizes of a job whose first role has {@code preferred} tasks. */
  static Parallelism parallelism(JsonValue in, int preferred) {
    return in.object(
        fields ->
            fields.has("sizes")
                ? new Parallelism(
                    fields.required("sizes", sizes -> sizes.array(JsonValue::integer)), preferred)
                : Parallelism.between(
                    fields.required("min", RoleJson::size),
                    preferred,
                    fields.required("max", RoleJson::size)));
  }

  static ResourceRequest demand(JsonValue in) {
    return in.object(
        fields -> {
          ResourceRequest.Builder demand = ResourceRequest.builder();
          if (fields.has("gpus") && fields.has("share")) {
            throw fields.refuse("a demand must have 'gpus' or 'share', but had both");
          }
          fields.optional("gpus", value -> demand.gpus(value.integer()));
          fields.optional("share", QuantityJson::share).ifPresent(demand::share);
          fields.optional("gpuMemory", QuantityJson::memory).ifPresent(demand::gpuMemory);
          fields.optional("cpu", QuantityJson::cpu).ifPresent(demand::cpu);
          fields.optional("memory", QuantityJson::memory).ifPresent(demand::memory);
          fields.optional("bandwidth", QuantityJson::bandwidth).ifPresent(demand::bandwidth);
          return demand.build();
        });
  }

  static void demand(JsonOutput out, ResourceRequest demand) {
    out.object(
        () -> {
          out.optional("share", demand.share(), QuantityJson::share);
          if (demand.share().isEmpty()) {
            out.field("gpus", demand.gpus(), 0, JsonOutput::number);
          }
          out.optional("gpuMemory", demand.gpuMemory(), QuantityJson::memory);
          out.optional("cpu", demand.cpu(), QuantityJson::cpu);
          out.optional("memory", demand.memory(), QuantityJson::memory);
          out.optional("bandwidth", demand.bandwidth(), QuantityJson::bandwidth);
        });
  }

  private static TaskRole workers(int gpus) {
    return new TaskRole("worker", gpus, ResourceRequest.ofGpus(1));
  }

  private static List<TaskRole> roles(JsonValue in) {
    List<TaskRole> roles = in.array(RoleJson::role);
    if (roles.isEmpty()) {
      throw in.refuse("a job needs at least one role, but had none");
    }
    return roles;
  }

  private static TaskRole role(JsonValue in) {
    return in.object(
        fields ->
            new TaskRole(
                fields.required("name", JsonValue::text),
                fields.required("count", JsonValue::integer),
                fields.required("demand", RoleJson::demand)));
  }

  private static void role(JsonOutput out, TaskRole role) {
    out.object(
        () -> {
          out.field("name", role.name());
          out.field("count", role.count());
          out.field("demand", role.demand(), RoleJson::demand);
        });
  }

  private static int size(JsonValue in) {
    return IdGroup.within(in, 1, TaskRole.MAX_TASKS);
  }

  private static void parallelism(JsonOutput out, Parallelism parallelism) {
    List<Integer> sizes = parallelism.allowedSizes();
    boolean gapless = parallelism.max() - parallelism.min() == sizes.size() - 1;
    out.object(
        () -> {
          if (gapless) {
            out.field("min", parallelism.min());
            out.field("max", parallelism.max());
          } else {
            out.list("sizes", sizes, JsonOutput::number);
          }
        });
  }
}
