package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.slurm.JobLine.Column;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A job of Slurm.
 *
 * @param line what changes often
 * @param detail what changes only when somebody changes the job
 */
record ListedJob(JobLine line, SlurmRecord detail) {

  /** The fields of a job in JSON that mean something here. */
  static final Set<String> FIELDS =
      Set.of(
          "admin_comment",
          "array_job_id",
          "array_max_tasks",
          "array_task_id",
          "batch_flag",
          "burst_buffer",
          "cluster_features",
          "comment",
          "contiguous",
          "cpus_per_tres",
          "deadline",
          "excluded_nodes",
          "exclusive",
          "features",
          "federation_origin",
          "flags",
          "gres_detail",
          "het_job_id",
          "job_id",
          "licenses",
          "max_nodes",
          "memory_per_tres",
          "nodes",
          "requeue",
          "resv_name",
          "shared",
          "submit_time",
          "tasks",
          "tasks_per_node",
          "tres_alloc_str",
          "tres_per_job",
          "tres_per_node",
          "tres_per_socket",
          "tres_per_task",
          "tres_req_str",
          "user_name");

  String id() {
    return line.id();
  }

  String text(Column column) {
    return line.text(column);
  }

  AdminComment adminComment() {
    return AdminComment.of(detail.text("admin_comment"));
  }

  /** Returns what its user wrote, or what explains it there. */
  String comment() {
    return detail.text("comment").strip();
  }

  /** Returns the nodes that it holds. */
  List<String> nodes() throws IOException {
    return names("NodeList", text(Column.NODES));
  }

  /** Returns the nodes to which the scheduler has bound it; empty if it has not. */
  List<String> pinned() throws IOException {
    return adminComment().required().isPresent()
        ? names("ReqNodeList", text(Column.REQUIRED))
        : List.of();
  }

  /** Returns the nodes that its user requires. */
  List<String> required() throws IOException {
    Optional<String> noted = adminComment().required();
    return names("ReqNodeList", noted.orElse(text(Column.REQUIRED)));
  }

  /** Returns the nodes that its user excludes. */
  List<String> excluded() throws IOException {
    return names("ExcNodeList", detail.text("excluded_nodes"));
  }

  private List<String> names(String field, String list) throws IOException {
    try {
      return HostList.names(field + " of job " + id(), list);
    } catch (InputFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Returns true if the detail was read while it held its nodes. */
  boolean hasAllocation() {
    return !detail.words("nodes").isEmpty() && !text(Column.NODES).isEmpty();
  }

  boolean isHeterogeneous() {
    return detail.number("het_job_id").orElse(0) != 0;
  }

  boolean canRestart() {
    return detail.is("requeue") && detail.is("batch_flag");
  }

  /** Returns how many tasks of its array may run at a time; 0 if any number may. */
  long arrayLimit() {
    return detail.number("array_max_tasks").orElse(0);
  }
}
