package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import java.util.List;

/** The JSON form of how large a job is: its roles, what their tasks request, and other sizes. */
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

  static ResourceRequest request(JsonValue in) {
    return in.object(
        fields -> {
          ResourceRequest.Builder request = ResourceRequest.builder();
          if (fields.has("gpus") && fields.has("share")) {
            throw fields.refuse("a request must have 'gpus' or 'share', but had both");
          }
          if (fields.has("bandwidth")) {
            throw fields.refuse(
                "requests of bandwidth are not supported yet. State the job's 'communication'");
          }
          fields.optional("gpus", value -> request.gpus(value.integer()));
          fields.optional("share", QuantityJson::share).ifPresent(request::share);
          fields.optional("gpuMemory", QuantityJson::memory).ifPresent(request::gpuMemory);
          fields.optional("cpu", QuantityJson::cpu).ifPresent(request::cpu);
          fields.optional("memory", QuantityJson::memory).ifPresent(request::memory);
          return request.build();
        });
  }

  static void request(JsonOutput out, ResourceRequest request) {
    out.object(
        () -> {
          out.optional("share", request.share(), QuantityJson::share);
          if (request.share().isEmpty()) {
            out.field("gpus", request.gpus(), 0, JsonOutput::number);
          }
          out.optional("gpuMemory", request.gpuMemory(), QuantityJson::memory);
          out.optional("cpu", request.cpu(), QuantityJson::cpu);
          out.optional("memory", request.memory(), QuantityJson::memory);
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
                fields.required("request", RoleJson::request)));
  }

  private static void role(JsonOutput out, TaskRole role) {
    out.object(
        () -> {
          out.field("name", role.name());
          out.field("count", role.count());
          out.field("request", role.request(), RoleJson::request);
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
