package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.text.Count;
import java.util.Arrays;

/**
 * A candidate placement as a cost sees it: the number of tasks of each role on each node. Nodes are
 * named by their position in the topology, roles by their position in the job. Reusable: no garbage
 * once it has grown. Not thread-safe.
 */
public final class TaskCounts {

  private final int roles;
  // The slot of each node, counted from 1; 0 if it has no task.
  private final int[] slotOf;
  private int[] nodes = new int[8];
  private int[] tasks;
  private int size;

  /**
   * Makes counts that are all zero.
   *
   * @param nodes the number of nodes of the cluster, at least 1
   * @param roles the number of roles of the job, at least 1
   * @throws IllegalArgumentException if a number is less than 1
   */
  public TaskCounts(int nodes, int roles) {
    if (nodes < 1 || roles < 1) {
      throw new IllegalArgumentException(
          "counts need at least 1 node and 1 role, but had " + nodes + " and " + roles);
    }
    this.roles = roles;
    slotOf = new int[nodes];
    tasks = new int[this.nodes.length * roles];
  }

  /**
   * Returns the counts of a placement.
   *
   * @throws IllegalArgumentException if the placement names an unknown role or node
   */
  public static TaskCounts of(ClusterTopology topology, JobSpec job, Placement placement) {
    TaskCounts counts = new TaskCounts(topology.nodes().size(), job.roles().size());
    for (TaskPlacement task : placement.tasks()) {
      counts.add(topology.position(task.node()), roleOf(job, task), 1);
    }
    return counts;
  }

  private static int roleOf(JobSpec job, TaskPlacement task) {
    for (int role = 0; role < job.roles().size(); role++) {
      if (job.roles().get(role).name().equals(task.task().role())) {
        return role;
      }
    }
    throw new IllegalArgumentException(
        "job '" + job.id() + "' has no role '" + task.task().role() + "'");
  }

  /** Adds tasks of a role to a node; constant time. */
  public void add(int node, int role, int count) {
    int slot = slotOf[node] == 0 ? open(node) : slotOf[node] - 1;
    tasks[slot * roles + role] += count;
  }

  /**
   * Removes tasks of a role from a node; O(roles).
   *
   * @throws IllegalStateException if there are not that many
   */
  public void remove(int node, int role, int count) {
    int slot = slotOf[node] - 1;
    if (slot < 0 || tasks[slot * roles + role] < count) {
      throw new IllegalStateException(
          "node at %d does not have %s of role %d to take away"
              .formatted(node, Count.of(count, "task"), role));
    }
    tasks[slot * roles + role] -= count;
    if (isEmpty(slot)) {
      close(slot);
    }
  }

  /** Removes all tasks; O(nodes used). */
  public void clear() {
    for (int slot = 0; slot < size; slot++) {
      slotOf[nodes[slot]] = 0;
    }
    size = 0;
  }

  /** Returns the number of nodes that hold a task. */
  public int size() {
    return size;
  }

  /** Returns the number of roles. */
  public int roles() {
    return roles;
  }

  /** Returns the node of a slot, from 0 to {@link #size()}, in no particular order. */
  public int node(int slot) {
    return nodes[slot];
  }

  /** Returns the number of tasks of the role on the node of a slot. */
  public int tasks(int slot, int role) {
    return tasks[slot * roles + role];
  }

  /** Returns the node count and tasks, such as {@code {3=[1, 0]}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int slot = 0; slot < size; slot++) {
      text.append(slot == 0 ? "" : ", ").append(nodes[slot]).append('=');
      text.append(Arrays.toString(Arrays.copyOfRange(tasks, slot * roles, (slot + 1) * roles)));
    }
    return text.append('}').toString();
  }

  private int open(int node) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * size);
      tasks = Arrays.copyOf(tasks, 2 * size * roles);
    }
    nodes[size] = node;
    Arrays.fill(tasks, size * roles, (size + 1) * roles, 0);
    slotOf[node] = ++size;
    return size - 1;
  }

  private boolean isEmpty(int slot) {
    for (int role = 0; role < roles; role++) {
      if (tasks[slot * roles + role] > 0) {
        return false;
      }
    }
    return true;
  }

  private void close(int slot) {
    int last = --size;
    slotOf[nodes[slot]] = 0;
    if (slot < last) {
      nodes[slot] = nodes[last];
      System.arraycopy(tasks, last * roles, tasks, slot * roles, roles);
      slotOf[nodes[slot]] = slot + 1;
    }
  }
}
