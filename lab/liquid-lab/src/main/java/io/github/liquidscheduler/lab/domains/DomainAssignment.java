package io.github.liquidscheduler.lab.domains;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The domains of the narrowest level that hold the tasks of a group.
 *
 * @param parts the tasks in each domain, in order of the paths
 * @param leader the domain of the leader; empty if there is none
 */
public record DomainAssignment(List<Part> parts, Optional<List<String>> leader) {

  /** Sorts the parts. */
  public DomainAssignment {
    parts =
        parts.stream()
            .sorted(Comparator.comparing(Part::path, DomainCapacity::comparePaths))
            .toList();
    leader = leader.map(List::copyOf);
  }

  /**
   * Tasks in a domain.
   *
   * @param path the domain, from the widest level down
   * @param tasks the number of tasks
   */
  public record Part(List<String> path, int tasks) {

    /** Copies the path. */
    public Part {
      path = List.copyOf(path);
    }
  }

  /** Returns the number of tasks, without the leader. */
  public int tasks() {
    return parts.stream().mapToInt(Part::tasks).sum();
  }

  /** Returns this assignment without the tasks in a domain. */
  DomainAssignment without(List<String> path) {
    return new DomainAssignment(
        parts.stream().filter(part -> !part.path().equals(path)).toList(), leader);
  }

  /** Returns the tasks of both. */
  DomainAssignment and(DomainAssignment more) {
    Map<List<String>, Integer> tasks = new LinkedHashMap<>();
    parts.forEach(part -> tasks.merge(part.path(), part.tasks(), Integer::sum));
    more.parts.forEach(part -> tasks.merge(part.path(), part.tasks(), Integer::sum));
    return new DomainAssignment(
        tasks.entrySet().stream().map(each -> new Part(each.getKey(), each.getValue())).toList(),
        leader);
  }
}
