package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A group of equal tasks of a job, such as its workers or its parameter servers.
 *
 * @param name the name of the role, not blank, unique in its job
 * @param count the number of tasks, from 1 to {@value #MAX_TASKS}
 * @param request what each task asks for
 * @param min how many of them have to run at least, from 1 to {@code count}; fewer than all make
 *     the job elastic
 * @param topology how close together these tasks must and should be, beside what is required of the
 *     whole job
 * @param nodeLabels the labels that a node of these tasks must carry, with these values, beside
 *     those that the job asks for; in the order of their names
 */
public record TaskRole(
    String name,
    int count,
    ResourceRequest request,
    int min,
    TopologyConstraint topology,
    Map<String, String> nodeLabels) {

  /** The largest number of tasks in one role. */
  public static final int MAX_TASKS = 1_000_000;

  /**
   * Checks the role.
   *
   * @throws IllegalArgumentException if {@code name} is blank or not Unicode, {@code count} or
   *     {@code min} is out of range, or a label is not Unicode
   */
  public TaskRole {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(topology, "topology");
    Text.requireName(name, "a role's name");
    if (count < 1 || count > MAX_TASKS) {
      throw new IllegalArgumentException(
          "a role's count must be from 1 to "
              + MAX_TASKS
              + ", but was "
              + count
              + ", for role '"
              + name
              + "'");
    }
    if (min < 1 || min > count) {
      throw new IllegalArgumentException(
          "a role's min must be from 1 to its count of %d, but was %d, for role '%s'"
              .formatted(count, min, name));
    }
    nodeLabels = fixed(nodeLabels);
  }

  private static Map<String, String> fixed(Map<String, String> labels) {
    labels.forEach(
        (label, value) -> {
          Text.require(label, "a label's name");
          Text.require(value, "a label's value");
        });
    return labels.isEmpty()
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /**
   * Makes a role all of whose tasks have to run, wherever the job may.
   *
   * @throws IllegalArgumentException if {@code name} is blank or not Unicode or {@code count} is
   *     out of range
   */
  public TaskRole(String name, int count, ResourceRequest request) {
    this(name, count, request, count, TopologyConstraint.NONE, Map.of());
  }

  /**
   * Returns the role of which {@code min} tasks have to run, and the others may be added later.
   *
   * @throws IllegalArgumentException if {@code min} is not from 1 to the count
   */
  public TaskRole atLeast(int min) {
    return new TaskRole(name, count, request, min, topology, nodeLabels);
  }

  /** Returns the role with {@code count} tasks, of which no more have to run than before. */
  public TaskRole withCount(int count) {
    return new TaskRole(name, count, request, Math.min(min, count), topology, nodeLabels);
  }

  /** Returns the role whose tasks ask for something else. */
  public TaskRole withRequest(ResourceRequest request) {
    return new TaskRole(name, count, request, min, topology, nodeLabels);
  }

  /**
   * Returns the role of which {@code count} tasks have to run, wherever the whole job may: on nodes
   * with these labels, but as close together as they like.
   */
  public TaskRole whole(int count) {
    return new TaskRole(name, count, request, count, TopologyConstraint.NONE, nodeLabels);
  }

  /** Returns the role whose tasks must and should be that close together. */
  public TaskRole within(TopologyConstraint topology) {
    return new TaskRole(name, count, request, min, topology, nodeLabels);
  }

  /**
   * Returns the role whose tasks run only on nodes that carry these labels.
   *
   * @throws IllegalArgumentException if one is not Unicode
   */
  public TaskRole on(Map<String, String> nodeLabels) {
    return new TaskRole(name, count, request, min, topology, nodeLabels);
  }

  /** Returns the GPUs of all tasks together; a share counts as one GPU. */
  public int gpus() {
    return Math.multiplyExact(count, request.gpus());
  }
}
