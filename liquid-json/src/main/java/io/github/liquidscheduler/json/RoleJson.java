package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The JSON form of how large a job is: its roles, what their tasks request, and other sizes. */
final class RoleJson {

  static final Form<ResourceRequest> REQUEST =
      new ObjectForm.Fields<ResourceRequest, ResourceRequest.Builder>(RoleJson::request)
          .optional(
              "share", QuantityJson.SHARE, ResourceRequest::share, ResourceRequest.Builder::share)
          .optional("gpus", Form.INTEGER, RoleJson::wholeGpus, ResourceRequest.Builder::gpus)
          .optional(
              "gpuMemory",
              QuantityJson.MEMORY,
              ResourceRequest::gpuMemory,
              ResourceRequest.Builder::gpuMemory)
          .optional("cpu", QuantityJson.CPU, ResourceRequest::cpu, ResourceRequest.Builder::cpu)
          .optional(
              "memory",
              QuantityJson.MEMORY,
              ResourceRequest::memory,
              ResourceRequest.Builder::memory)
          .build(ResourceRequest.Builder::build)
          .form();

  static final Form<TaskRole> ROLE =
      new ObjectForm.Fields<TaskRole, TaskRole>(RoleJson::role)
          .with((in, role) -> role, RoleJson::writeRole)
          .optional("min", Form.INTEGER, RoleJson::min, TaskRole::atLeast)
          .optional(
              "topology",
              Form.of(TopologyConstraint.class),
              TaskRole::topology,
              TopologyConstraint.NONE,
              TaskRole::within)
          .optional("nodeLabels", Form.TEXT.entries(), TaskRole::nodeLabels, Map.of(), TaskRole::on)
          .build(role -> role)
          .form();

  static final Form<RoleGroup> GROUP =
      new ObjectForm.Fields<RoleGroup, RoleGroup>(RoleJson::group)
          .with((in, group) -> group, RoleJson::writeGroup)
          .optional("min", Form.INTEGER, RoleJson::min, RoleGroup::atLeast)
          .optional(
              "topology",
              Form.of(TopologyConstraint.class),
              RoleGroup::topology,
              TopologyConstraint.NONE,
              RoleGroup::within)
          .build(group -> group)
          .form();

  private static final Form<List<TaskRole>> ROLES = ROLE.list();
  private static final Form<List<RoleGroup>> GROUPS = GROUP.list();
  private static final Form<List<String>> NAMES = Form.TEXT.list();
  private static final Form<List<Integer>> SIZES = Form.INTEGER.list();

  private RoleJson() {}

  /**
   * Reads {@code roles}, or {@code gpus} for that many workers of one GPU each, {@code groups} and
   * {@code parallelism}.
   */
  static JobSpec.Builder readSize(JsonFields in, JobSpec.Builder job) {
    if (in.has("gpus") == in.has("roles")) {
      throw in.refuseFields("a job must have either the field 'gpus' or the field 'roles'");
    }
    List<TaskRole> roles =
        in.has("gpus")
            ? in.required("gpus", value -> List.of(workers(value.integer())))
            : in.required("roles", RoleJson::roles);
    int preferred = roles.get(0).count();
    in.optional("parallelism", value -> parallelism(value, preferred)).ifPresent(job::parallelism);
    in.optional("groups", GROUPS.reader()).ifPresent(job::groups);
    return job.roles(roles);
  }

  static void writeSize(JsonOutput out, JobSpec job) {
    TaskRole first = job.roles().get(0);
    if (job.roles().size() == 1 && first.equals(workers(first.count()))) {
      out.field("gpus", first.count(), Form.INTEGER);
    } else {
      out.field("roles", job.roles(), ROLES);
    }
    out.field("groups", job.groups(), List.of(), GROUPS);
    if (job.parallelism().isElastic() && job.hasStatedSizes()) {
      out.name("parallelism").object(() -> sizes(out, job.parallelism()));
    }
  }

  private static TaskRole role(JsonFields in) {
    return new TaskRole(
        in.required("name", Form.TEXT.reader()),
        in.required("count", Form.INTEGER.reader()),
        in.required("request", REQUEST.reader()));
  }

  private static void writeRole(JsonOutput out, TaskRole role) {
    out.field("name", role.name(), Form.TEXT);
    out.field("count", role.count(), Form.INTEGER);
    out.field("request", role.request(), REQUEST);
  }

  private static Optional<Integer> min(TaskRole role) {
    return role.min() == role.count() ? Optional.empty() : Optional.of(role.min());
  }

  private static RoleGroup group(JsonFields in) {
    return RoleGroup.of(
        in.required("name", Form.TEXT.reader()),
        in.required("members", NAMES.reader()).toArray(String[]::new));
  }

  private static void writeGroup(JsonOutput out, RoleGroup group) {
    out.field("name", group.name(), Form.TEXT);
    out.field("members", group.members(), NAMES);
  }

  private static Optional<Integer> min(RoleGroup group) {
    return group.min() == group.members().size() ? Optional.empty() : Optional.of(group.min());
  }

  private static ResourceRequest.Builder request(JsonFields in) {
    if (in.has("gpus") && in.has("share")) {
      throw in.refuse("a request must have 'gpus' or 'share', but had both");
    }
    if (in.has("bandwidth")) {
      throw in.refuse(
          "requests of bandwidth are not supported yet. State the job's 'communication'");
    }
    return ResourceRequest.builder();
  }

  private static Optional<Integer> wholeGpus(ResourceRequest request) {
    return request.share().isPresent() || request.gpus() == 0
        ? Optional.empty()
        : Optional.of(request.gpus());
  }

  private static TaskRole workers(int gpus) {
    return new TaskRole("worker", gpus, ResourceRequest.ofGpus(1));
  }

  private static List<TaskRole> roles(JsonValue in) {
    List<TaskRole> roles = ROLES.read(in);
    if (roles.isEmpty()) {
      throw in.refuse("a job needs at least one role, but had none");
    }
    return roles;
  }

  /** Reads the sizes of a job whose first role has {@code preferred} tasks. */
  private static Parallelism parallelism(JsonValue in, int preferred) {
    return in.object(
        fields ->
            fields.has("sizes")
                ? new Parallelism(fields.required("sizes", SIZES.reader()), preferred)
                : Parallelism.between(
                    fields.required("min", RoleJson::size),
                    preferred,
                    fields.required("max", RoleJson::size)));
  }

  private static int size(JsonValue in) {
    return in.within(1, TaskRole.MAX_TASKS);
  }

  private static void sizes(JsonOutput out, Parallelism parallelism) {
    List<Integer> sizes = parallelism.allowedSizes();
    if (parallelism.max() - parallelism.min() == sizes.size() - 1) {
      out.field("min", parallelism.min(), Form.INTEGER);
      out.field("max", parallelism.max(), Form.INTEGER);
    } else {
      out.field("sizes", sizes, SIZES);
    }
  }
}
