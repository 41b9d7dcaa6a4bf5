package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Count;
import io.github.liquidscheduler.text.Text;
import java.util.List;
import java.util.Objects;

/**
 * Roles of a job, or groups of them, that belong together: the parts of a replica, for instance.
 * They may have to be close together, and not all of them may have to run.
 *
 * @param name the name, not blank, unique among the roles and groups of its job
 * @param members the names of the roles and groups in it, at least one; those named first run first
 * @param min how many of them have to run at least where the group does, from 1 to all; a member
 *     runs with all that it needs itself, or not at all
 * @param topology how close together all its tasks must and should be
 */
public record RoleGroup(String name, List<String> members, int min, TopologyConstraint topology) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if {@code name} is blank or not Unicode, there is no member,
   *     or {@code min} is out of range
   */
  public RoleGroup {
    Objects.requireNonNull(topology, "topology");
    Text.requireName(name, "a group's name");
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException(
          "a group needs at least one member, but had none, for group '" + name + "'");
    }
    if (min < 1 || min > members.size()) {
      throw new IllegalArgumentException(
          "a group's min must be from 1 to its %s, but was %d, for group '%s'"
              .formatted(Count.of(members.size(), "member"), min, name));
    }
  }

  /** Returns a group all of whose members have to run. */
  public static RoleGroup of(String name, String... members) {
    return new RoleGroup(name, List.of(members), members.length, TopologyConstraint.NONE);
  }

  /**
   * Returns the group of which {@code min} members have to run.
   *
   * @throws IllegalArgumentException if {@code min} is not from 1 to the number of members
   */
  public RoleGroup atLeast(int min) {
    return new RoleGroup(name, members, min, topology);
  }

  /** Returns the group whose tasks must and should be that close together. */
  public RoleGroup within(TopologyConstraint topology) {
    return new RoleGroup(name, members, min, topology);
  }

  /** Returns the group of these members alone, all of which have to run. */
  RoleGroup only(List<String> some) {
    return new RoleGroup(name, some, some.size(), topology);
  }
}
