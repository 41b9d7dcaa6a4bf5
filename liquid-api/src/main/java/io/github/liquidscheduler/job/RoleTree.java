package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The roles of a job and their groups: which numbers of tasks they may have. Counts are given role
 * by role, in their order; 0 where a role does not run.
 *
 * <p>A job gets larger step by step: first whatever may run and does not gets as many tasks as it
 * needs, in the order of the members; then the role gets one more that has the smallest part of
 * what it may have beyond its minimum, of equal ones the first. It gets smaller in the reverse.
 */
final class RoleTree implements CountRules {

  /**
   * A role or a group.
   *
   * @param role the position of the role; -1 for a group
   * @param members what is in the group
   * @param min how many members have to run
   */
  private record Part(int role, List<Part> members, int min) {}

  private static final int MAX_DEPTH = 100;

  private final List<TaskRole> roles;
  private final Part whole;
  private final boolean[] isOptional;
  private final Parallelism sizes;

  /**
   * Makes the tree.
   *
   * @throws IllegalArgumentException if a group has a member that is not there, or is in two
   *     groups, or in itself, or groups and roles share a name
   */
  RoleTree(JobId job, List<TaskRole> roles, List<RoleGroup> groups) {
    this.roles = roles;
    isOptional = new boolean[roles.size()];
    List<Part> parts = new ArrayList<>();
    if (groups.isEmpty()) {
      for (int role = 0; role < roles.size(); role++) {
        parts.add(new Part(role, List.of(), 0));
      }
    } else {
      parts.addAll(new Reading(job, groups).parts());
    }
    whole = new Part(-1, parts, parts.size());
    note(whole, false);
    requireCountable(job);
    sizes = isElastic() ? steps() : Parallelism.fixed(roles.getFirst().count());
  }

  /** Reads the groups. */
  private final class Reading {

    private final JobId job;
    private final Map<String, Integer> positions = new LinkedHashMap<>();
    private final Map<String, RoleGroup> byName = new LinkedHashMap<>();
    private final Map<String, String> groupOf = new LinkedHashMap<>();

    Reading(JobId job, List<RoleGroup> groups) {
      this.job = job;
      roles.forEach(role -> positions.put(role.name(), positions.size()));
      for (RoleGroup group : groups) {
        require(
            !positions.containsKey(group.name()) && byName.putIfAbsent(group.name(), group) == null,
            "roles and groups must have names of their own, but '%s' came twice",
            group.name());
      }
      groups.forEach(group -> group.members().forEach(member -> addMember(group, member)));
    }

    private void addMember(RoleGroup group, String member) {
      require(
          positions.containsKey(member) || byName.containsKey(member),
          "a group's members must be roles or groups of the job, but '%s' is none",
          member);
      require(
          groupOf.putIfAbsent(member, group.name()) == null,
          "a role or group must be in one group, but '%s' is in two",
          member);
    }

    List<Part> parts() {
      byName.keySet().forEach(this::requireAncestors);
      List<Part> parts = new ArrayList<>();
      List<String> all = new ArrayList<>(byName.keySet());
      all.addAll(positions.keySet());
      all.stream().filter(name -> !groupOf.containsKey(name)).map(this::part).forEach(parts::add);
      return parts;
    }

    private void requireAncestors(String name) {
      Set<String> path = new LinkedHashSet<>();
      for (@Nullable String at = name; at != null; at = groupOf.get(at)) {
        boolean isNew = path.add(at);
        require(
            isNew, "a group must not be in itself, but is %s", isNew ? at : Text.ring(path, at));
      }
      require(
          path.size() <= MAX_DEPTH,
          "groups must be at most " + MAX_DEPTH + " deep, but '%s' is deeper",
          name);
    }

    private Part part(String name) {
      @Nullable RoleGroup group = byName.get(name);
      return group == null
          ? new Part(Objects.requireNonNull(positions.get(name)), List.of(), 0)
          : new Part(-1, group.members().stream().map(this::part).toList(), group.min());
    }

    private void require(boolean holds, String rule, String name) {
      if (!holds) {
        throw new IllegalArgumentException(rule.formatted(name) + ", for job '" + job + "'");
      }
    }
  }

  private void requireCountable(JobId job) {
    long most = 0;
    for (int role = 0; role < roles.size(); role++) {
      most += isSized(role) ? roles.get(role).count() : 0;
    }
    if (most > TaskRole.MAX_TASKS) {
      throw new IllegalArgumentException(
          "roles with several numbers of tasks must have at most %d together, but had %d, for job '%s'"
              .formatted(TaskRole.MAX_TASKS, most, job));
    }
  }

  private void note(Part part, boolean optional) {
    if (part.role() >= 0) {
      isOptional[part.role()] = optional;
    }
    boolean some = optional || part.min() < part.members().size();
    part.members().forEach(member -> note(member, some));
  }

  @Override
  public boolean isSized(int role) {
    return isOptional[role] || roles.get(role).min() < roles.get(role).count();
  }

  /** Returns true if a role may have no task. */
  boolean isOptional(int role) {
    return isOptional[role];
  }

  /** Returns true if any role may have several numbers of tasks. */
  boolean isElastic() {
    for (int role = 0; role < isOptional.length; role++) {
      if (isSized(role)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the sum over the roles that may have several numbers of tasks. */
  int size(int[] counts) {
    int size = 0;
    for (int role = 0; role < counts.length; role++) {
      size += isSized(role) ? counts[role] : 0;
    }
    return size;
  }

  /** Returns the counts without which the job cannot run, of groups those of the first members. */
  @Override
  public int[] least() {
    int[] counts = new int[roles.size()];
    add(whole, counts);
    return counts;
  }

  @Override
  public Parallelism sizes() {
    return sizes;
  }

  private Parallelism steps() {
    List<Integer> sizes = new ArrayList<>();
    int[] counts = least();
    do {
      sizes.add(size(counts));
    } while (grow(counts));
    return new Parallelism(sizes, sizes.getLast());
  }

  @Override
  public int @Nullable [] at(int size, int[] from) {
    int[] counts = from.clone();
    boolean goesOn = true;
    while (goesOn && size(counts) != size) {
      goesOn =
          size(counts) < size
              ? grow(counts) && size(counts) <= size
              : shrink(counts) && size(counts) >= size;
    }
    return goesOn ? counts : null;
  }

  private void add(Part part, int[] counts) {
    if (part.role() >= 0) {
      counts[part.role()] = roles.get(part.role()).min();
    } else {
      part.members().subList(0, part.min()).forEach(member -> add(member, counts));
    }
  }

  private boolean grow(int[] counts) {
    @Nullable Part absent = absent(whole, counts);
    if (absent != null) {
      add(absent, counts);
      return true;
    }
    int next = -1;
    for (int role = 0; role < counts.length; role++) {
      if (counts[role] < roles.get(role).count()
          && (next < 0 || part(role, counts) < part(next, counts))) {
        next = role;
      }
    }
    if (next >= 0) {
      counts[next]++;
    }
    return next >= 0;
  }

  @Override
  public boolean shrink(int[] counts) {
    int next = -1;
    for (int role = counts.length - 1; role >= 0; role--) {
      if (counts[role] > roles.get(role).min()
          && (next < 0 || part(role, counts) > part(next, counts))) {
        next = role;
      }
    }
    if (next >= 0) {
      counts[next]--;
      return true;
    }
    @Nullable Part spare = spare(whole, counts);
    if (spare != null) {
      remove(spare, counts);
    }
    return spare != null;
  }

  /** Returns the part of what a role may have beyond its minimum that it has. */
  private double part(int role, int[] counts) {
    TaskRole of = roles.get(role);
    return (double) (counts[role] - of.min()) / (of.count() - of.min());
  }

  private static boolean runs(Part part, int[] counts) {
    return part.role() >= 0
        ? counts[part.role()] > 0
        : part.members().stream().anyMatch(member -> runs(member, counts));
  }

  private static @Nullable Part absent(Part part, int[] counts) {
    for (Part member : part.members()) {
      @Nullable Part found = runs(member, counts) ? absent(member, counts) : member;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the last member without which its group runs; null if there is none. */
  private static @Nullable Part spare(Part part, int[] counts) {
    List<Part> running = part.members().stream().filter(member -> runs(member, counts)).toList();
    if (running.size() > part.min()) {
      return running.getLast();
    }
    for (Part member : running.reversed()) {
      @Nullable Part found = spare(member, counts);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static void remove(Part part, int[] counts) {
    if (part.role() >= 0) {
      counts[part.role()] = 0;
    }
    part.members().forEach(member -> remove(member, counts));
  }

  @Override
  public boolean cut(int[] counts) {
    return cut(whole, counts);
  }

  private boolean cut(Part part, int[] counts) {
    boolean runs;
    if (part.role() >= 0) {
      TaskRole role = roles.get(part.role());
      counts[part.role()] = Math.min(role.count(), counts[part.role()]);
      runs = counts[part.role()] >= role.min();
    } else {
      runs = part.members().stream().filter(member -> cut(member, counts)).count() >= part.min();
    }
    if (!runs) {
      remove(part, counts);
    }
    return runs;
  }
}
