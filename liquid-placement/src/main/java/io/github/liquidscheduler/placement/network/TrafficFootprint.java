package io.github.liquidscheduler.placement.network;

import java.util.Arrays;

/**
 * The parts of the tree that a candidate touches: each node it uses and each domain above, with its
 * tasks there. Adding tasks to a node and removing them costs O(levels x roles), without garbage
 * once it has grown. Parts are in no particular order; their numbers are valid until tasks are
 * removed.
 */
final class TrafficFootprint {

  private final LinkTable links;
  private final int[] partOf;
  private int[] link = new int[16];
  private int[] nodesIn = new int[16];
  private int[] gpus = new int[16];
  private int[] tasksIn = new int[16];
  private int[] tasks = new int[16];
  private int[] gpusPerTask = new int[0];
  private int roles;
  private int[] totals = new int[1];
  private int totalGpus;
  private int totalTasks;
  private int nodes;
  private int size;

  TrafficFootprint(LinkTable links) {
    this.links = links;
    partOf = new int[links.size()];
    Arrays.fill(partOf, -1);
  }

  /** Traces the parts that {@code counts} touches. */
  void trace(Traffic traffic, TaskCounts counts) {
    start(traffic);
    for (int slot = 0; slot < counts.size(); slot++) {
      for (int role = 0; role < roles; role++) {
        if (counts.tasks(slot, role) > 0) {
          change(counts.node(slot), role, counts.tasks(slot, role));
        }
      }
    }
  }

  /** Starts over, with a candidate without tasks. */
  void start(Traffic traffic) {
    for (int part = 0; part < size; part++) {
      partOf[link[part]] = -1;
    }
    size = 0;
    nodes = 0;
    totalGpus = 0;
    totalTasks = 0;
    roles = traffic.roles();
    gpusPerTask = gpusPerTask.length < roles ? new int[roles] : gpusPerTask;
    totals = totals.length < roles ? new int[roles] : totals;
    tasks = tasks.length < link.length * roles ? new int[link.length * roles] : tasks;
    for (int role = 0; role < roles; role++) {
      gpusPerTask[role] = traffic.gpusPerTask(role);
      totals[role] = 0;
    }
  }

  /** Adds tasks of a role to a node, or removes them if {@code count} is negative. */
  void change(int node, int role, int count) {
    int moreGpus = count * gpusPerTask[role];
    totals[role] += count;
    totalTasks += count;
    totalGpus += moreGpus;
    boolean wasUsed = partOf[node] >= 0;
    int moreNodes = wasUsed ? 0 : 1;
    for (int at = node; at >= 0; at = links.parent(at)) {
      int part = partOf[at] < 0 ? open(at) : partOf[at];
      tasks[part * roles + role] += count;
      tasksIn[part] += count;
      gpus[part] += moreGpus;
      nodesIn[part] += moreNodes;
    }
    nodes += moreNodes;
    if (tasksIn[partOf[node]] == 0) {
      leave(node);
    }
  }

  /** Forgets a node without tasks, and the domains above that hold no other. */
  private void leave(int node) {
    nodes--;
    for (int at = node; at >= 0; at = links.parent(at)) {
      int part = partOf[at];
      if (--nodesIn[part] == 0) {
        close(part);
      }
    }
  }

  private int open(int newLink) {
    if (size == link.length) {
      grow();
    }
    link[size] = newLink;
    nodesIn[size] = 0;
    gpus[size] = 0;
    tasksIn[size] = 0;
    Arrays.fill(tasks, size * roles, (size + 1) * roles, 0);
    partOf[newLink] = size;
    return size++;
  }

  private void close(int part) {
    int last = --size;
    partOf[link[part]] = -1;
    if (part < last) {
      link[part] = link[last];
      nodesIn[part] = nodesIn[last];
      gpus[part] = gpus[last];
      tasksIn[part] = tasksIn[last];
      System.arraycopy(tasks, last * roles, tasks, part * roles, roles);
      partOf[link[part]] = part;
    }
  }

  private void grow() {
    link = Arrays.copyOf(link, 2 * size);
    nodesIn = Arrays.copyOf(nodesIn, 2 * size);
    gpus = Arrays.copyOf(gpus, 2 * size);
    tasksIn = Arrays.copyOf(tasksIn, 2 * size);
    tasks = Arrays.copyOf(tasks, Math.max(tasks.length, 2 * size * roles));
  }

  /** Returns the number of parts. */
  int size() {
    return size;
  }

  /** Returns the link above the part. */
  int link(int part) {
    return link[part];
  }

  /** Returns the part below the link, or -1 if the candidate does not touch it. */
  int partOf(int touched) {
    return partOf[touched];
  }

  /** Returns the part of the domain that the part is in, or -1. */
  int up(int part) {
    int parent = links.parent(link[part]);
    return parent < 0 ? -1 : partOf[parent];
  }

  /** Returns the number of nodes used in the part. */
  int nodesIn(int part) {
    return nodesIn[part];
  }

  /** Returns the number of GPUs used in the part. */
  int gpus(int part) {
    return gpus[part];
  }

  /** Returns the number of tasks of the role in the part. */
  int tasks(int part, int role) {
    return tasks[part * roles + role];
  }

  /** Returns the number of tasks of all roles in the part. */
  int tasks(int part) {
    return tasksIn[part];
  }

  /** Returns the number of nodes used. */
  int nodes() {
    return nodes;
  }

  /** Returns the number of GPUs used. */
  int gpus() {
    return totalGpus;
  }

  /** Returns the number of tasks of the role. */
  int tasksOf(int role) {
    return totals[role];
  }

  /** Returns the number of tasks. */
  int tasks() {
    return totalTasks;
  }
}
