package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.lab.conformance.peer.DistinctNames;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The roles and groups of a job, as a case states its parts: an innermost part is a role, or a
 * group of roles if its tasks differ.
 */
final class JobParts {

  private final Map<String, List<Facts>> tasks;
  private final BiFunction<String, List<Facts>, TaskRole> role;
  private final DistinctNames names;
  private final List<TaskRole> roles = new ArrayList<>();
  private final List<RoleGroup> groups = new ArrayList<>();

  private JobParts(Map<String, List<Facts>> tasks, BiFunction<String, List<Facts>, TaskRole> role) {
    this.tasks = tasks;
    this.role = role;
    names = new DistinctNames(tasks.keySet());
  }

  /**
   * Reads those of a job.
   *
   * @param tasks the tasks of each role
   * @param role the role of a name with these tasks
   * @throws IllegalArgumentException if a part of several roles may run without some of its tasks
   */
  static JobParts of(
      Facts job, Map<String, List<Facts>> tasks, BiFunction<String, List<Facts>, TaskRole> role) {
    JobParts parts = new JobParts(tasks, role);
    List<String> members = parts.membersOf(job);
    int min = job.count("minSubgroups", members.size());
    if (min < members.size()) {
      parts.groups.add(
          new RoleGroup(parts.names.take("parts"), members, min, TopologyConstraint.NONE));
    }
    return parts;
  }

  /** Returns how close together the tasks of a job or a part must and should be. */
  static TopologyConstraint topology(Facts stated) {
    TopologyConstraint constraint = TopologyConstraint.NONE;
    if (stated.has("required")) {
      constraint = constraint.andRequired(stated.text("required"));
    }
    return stated.ifText("preferred").map(constraint::andPreferred).orElse(constraint);
  }

  List<TaskRole> roles() {
    return roles;
  }

  List<RoleGroup> groups() {
    return groups;
  }

  private List<String> membersOf(Facts part) {
    return part.each("subgroups", this::read).stream().flatMap(Optional::stream).toList();
  }

  /** Reads a part, and returns the name of its role or group, if it has tasks. */
  private Optional<String> read(Facts part) {
    List<String> members = part.has("subgroups") ? membersOf(part) : readRoles(part);
    if (members.isEmpty()) {
      return Optional.empty();
    }
    TopologyConstraint topology = topology(part.object("topology"));
    int min = Math.min(members.size(), part.count("minSubgroups", members.size()));
    boolean isGroup = part.has("subgroups") || members.size() > 1;
    if (!isGroup || (topology.equals(TopologyConstraint.NONE) && members.size() == 1)) {
      return Optional.of(members.get(0));
    }
    String name = names.take("part " + part.text("name"));
    groups.add(new RoleGroup(name, members, min, topology));
    return Optional.of(name);
  }

  private List<String> readRoles(Facts part) {
    List<TaskRole> own = new ArrayList<>();
    tasks.forEach(
        (name, of) -> {
          if (of.get(0).ifText("group").equals(Optional.of(part.text("name")))) {
            own.add(role.apply(name, of));
          }
        });
    int all = own.stream().mapToInt(TaskRole::count).sum();
    int min = Math.min(all, part.count("minAvailable", all));
    if (own.size() == 1) {
      TopologyConstraint topology = topology(part.object("topology"));
      own.set(0, own.get(0).atLeast(min).within(topology));
    } else if (min < all) {
      throw Refusal.of(part.path(), "tasks of a part that may be left out must be equal");
    }
    roles.addAll(own);
    return own.stream().map(TaskRole::name).toList();
  }
}
