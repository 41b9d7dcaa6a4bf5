package io.github.liquidscheduler.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Splits a job into the parts that have to be close together by themselves, and the rest. */
final class TopologyParts {

  private final JobSpec job;
  private final Map<String, TaskRole> roles = new LinkedHashMap<>();
  private final Map<String, RoleGroup> groups = new LinkedHashMap<>();
  private final List<JobSpec> parts = new ArrayList<>();
  private final List<TaskRole> rest = new ArrayList<>();

  private TopologyParts(JobSpec job) {
    this.job = job;
    job.roles().forEach(role -> roles.put(role.name(), role));
    job.groups().forEach(group -> groups.put(group.name(), group));
  }

  /** Returns the parts, each as a job of its own; none if no role or group has a topology. */
  static List<JobSpec> of(JobSpec job) {
    return areIn(job.roles(), job.groups()) ? new TopologyParts(job).split() : List.of();
  }

  /** Returns true if any of the roles and groups has to be close together by itself. */
  static boolean areIn(List<TaskRole> roles, List<RoleGroup> groups) {
    for (TaskRole role : roles) {
      if (!role.topology().equals(TopologyConstraint.NONE)) {
        return true;
      }
    }
    for (RoleGroup group : groups) {
      if (!group.topology().equals(TopologyConstraint.NONE)) {
        return true;
      }
    }
    return false;
  }

  private List<JobSpec> split() {
    List<String> names = new ArrayList<>(groups.keySet());
    names.addAll(roles.keySet());
    groups.values().forEach(group -> names.removeAll(group.members()));
    names.forEach(this::add);
    if (!rest.isEmpty()) {
      parts.add(part(rest, List.of(), TopologyConstraint.NONE));
    }
    return List.copyOf(parts);
  }

  private void add(String name) {
    @Nullable TaskRole role = roles.get(name);
    if (role != null) {
      add(role);
      return;
    }
    RoleGroup group = Optional.ofNullable(groups.get(name)).orElseThrow();
    if (group.topology().equals(TopologyConstraint.NONE)) {
      group.members().forEach(this::add);
    } else {
      List<TaskRole> inside = new ArrayList<>();
      List<RoleGroup> below = new ArrayList<>();
      group.members().forEach(member -> collect(member, inside, below));
      parts.add(part(inside, below, group.topology()));
    }
  }

  private void add(TaskRole role) {
    if (role.topology().equals(TopologyConstraint.NONE)) {
      rest.add(role);
    } else {
      TaskRole anywhere = role.within(TopologyConstraint.NONE);
      parts.add(part(List.of(anywhere), List.of(), role.topology()));
    }
  }

  private void collect(String name, List<TaskRole> inside, List<RoleGroup> below) {
    Optional.ofNullable(roles.get(name)).ifPresent(inside::add);
    Optional.ofNullable(groups.get(name))
        .ifPresent(
            group -> {
              below.add(group);
              group.members().forEach(member -> collect(member, inside, below));
            });
  }

  private JobSpec part(List<TaskRole> inside, List<RoleGroup> below, TopologyConstraint topology) {
    JobSpec.Builder part =
        job.toBuilder()
            .roles(inside)
            .groups(below)
            .communication(Communication.none())
            .topology(topology);
    return part.build();
  }
}
